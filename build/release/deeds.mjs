import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freezeBaseline } from './baseline.mjs'

/** @typedef {import('./project.mjs').Project} Project */

/** Runs with its output shown; says whether it succeeded. @param {Project} project @param {string[]} command @returns {Promise<boolean>} */
function show({ root }, [program = '', ...args]) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit' })
    child.on('error', reject)
    child.on('close', (code) => resolve(code === 0))
  })
}

/** Everything a change must pass. @param {Project} project */
export function runCi(project) {
  return show(project, ['.ci/run'])
}

/** Freezes the baseline, dates the changelog, commits and tags. @param {Project} project */
export async function tagRelease(project) {
  const { root, read, run, version, tag } = project
  await freezeBaseline(project)
  const today = new Date().toISOString().slice(0, 10)
  const text = (await read('CHANGELOG.md')) ?? ''
  const dated = text.replace(`## [${version}] - unreleased`, `## [${version}] - ${today}`)
  await writeFile(join(root, 'CHANGELOG.md'), dated)
  await run('git', 'add', 'CHANGELOG.md', 'sql/schema/RELEASED')
  await run('git', 'commit', '--quiet', '--allow-empty', '--message', `Release ${version}`)
  await run('git', 'tag', '--annotate', tag, '--message', `Release ${version}`)
}

/** @param {Project} project */
export async function publish(project) {
  const published = await show(project, ['npm', 'publish', '--provenance', '--access', 'public'])
  if (!published) throw new Error('npm publish failed; nothing else was changed, run it again')
}
