// npm run release                  checks everything, freezes the baseline, commits and tags; pushes nothing
// npm run release -- --dry-run     the same checks without CI; changes nothing
// npm run release -- --publish     in the workflow of a tag: checks again and publishes with provenance
import { parseArgs } from 'node:util'
import { checksOf } from './release/checks.mjs'
import { publish, runCi, tagRelease } from './release/deeds.mjs'
import { openProject } from './release/project.mjs'

const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean' }, publish: { type: 'boolean' } },
})
const mode = values['dry-run'] ? 'dry-run' : values.publish ? 'publish' : 'release'

/** @param {string} line */
const say = (line) => process.stdout.write(`${line}\n`)

/** Runs every check, so that one run names all that is wrong. @param {import('./release/project.mjs').Project} project */
async function countProblems(project) {
  let count = 0
  for (const [name, check] of checksOf(mode)) {
    const problems = await check(project)
    say(`${problems.length === 0 ? 'ok ' : 'NO '} ${name}`)
    for (const problem of problems) say(`    ${problem}`)
    count += problems.length
  }
  return count
}

const project = await openProject(process.cwd())
say(`${project.name} ${project.version} (${mode})`)
const problems = await countProblems(project)
if (problems > 0) {
  say(`${problems} ${problems === 1 ? 'problem' : 'problems'}: nothing was released.`)
  process.exit(1)
}
if (mode === 'dry-run') say('Not run: .ci/run. Nothing was changed.')
else if (mode === 'publish') await publish(project)
else if (!(await runCi(project))) {
  say('NO  CI\n    .ci/run failed: nothing was released.')
  process.exit(1)
} else {
  await tagRelease(project)
  say(`Tagged ${project.tag}. To publish: git push --atomic origin main ${project.tag}`)
}
