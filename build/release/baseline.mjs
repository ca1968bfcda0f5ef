import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { releasedTags } from './project.mjs'

/** @typedef {import('./project.mjs').Project} Project */

const folder = 'sql/schema'
const file = `${folder}/RELEASED`

/** The lines of `sha256sum *.sql`. @param {string} root */
async function sumsOf(root) {
  const names = (await readdir(join(root, folder))).filter((name) => name.endsWith('.sql')).sort()
  const lines = names.map(async (name) => {
    const text = await readFile(join(root, folder, name))
    return `${createHash('sha256').update(text).digest('hex')}  ${name}\n`
  })
  return (await Promise.all(lines)).join('')
}

/** The first release writes the sums; every later one must find them. @param {Project} project @param {boolean} isTagged */
export async function checkBaseline(project, isTagged) {
  const released = await project.read(file)
  const sums = await sumsOf(project.root)
  if (released === undefined) {
    const isFirst = (await releasedTags(project)).length === 0
    return isFirst && !isTagged ? [] : [`${file} is missing; restore it from the last release`]
  }
  if (released === sums) return []
  const then = new Set(released.split('\n'))
  const changed = sums.split('\n').filter((line) => !then.has(line))
  const names = changed.map((line) => line.slice(66)).join(', ') || 'a file is gone'
  return [`${folder} changed after its release: ${names}; put the change into sql/migrations`]
}

/** Databases that have applied a migration refuse another text of it. @param {Project} project */
export async function checkMigrations(project) {
  const [latest] = await releasedTags(project)
  if (latest === undefined) return []
  const changed = await project.run(
    ...['git', 'diff', '--name-only', '--diff-filter=a', latest, 'HEAD', '--', 'sql/migrations'],
  )
  if (changed === '') return []
  const names = changed.replaceAll('\n', ', ')
  return [`released migrations changed since ${latest}: ${names}; add a new one instead`]
}

/** @param {Project} project */
export async function freezeBaseline({ root, read }) {
  if ((await read(file)) === undefined) await writeFile(join(root, file), await sumsOf(root))
}
