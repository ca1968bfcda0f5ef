// Runs the files of the slow tier that failed once more, each alone on the machine. They start browsers, clusters and
// processes by the dozen, and on a busy machine one of some thousand tests now and then fails for the machine's sake.
// A file of the fast tier gets no second try: what fails there now and then is a race in Tusk.
//
//   node .ci/second-try.mjs REPORT    REPORT is what vitest's reporter `json` wrote
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

/** More than these are no accident. */
const most = 3

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const failed = report.testResults
  .filter(({ status }) => status === 'failed')
  .map(({ name }) => relative(process.cwd(), name))
const listed = execFileSync('npx', ['vitest', 'list', '--project', 'slow', '--filesOnly', '--json'])
const slow = new Set(JSON.parse(listed).map(({ file }) => relative(process.cwd(), file)))
const fast = failed.filter((file) => !slow.has(file))

if (failed.length === 0) stop('The run failed, but no file did.')
if (fast.length > 0) stop(`Failed in the fast tier: ${fast.join(', ')}`)
if (failed.length > most) stop(`${failed.length} files failed: ${failed.join(', ')}`)

process.stdout.write(`\nFailed, and tried once more, alone: ${failed.join(', ')}\n`)
for (const file of failed) {
  const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'slow', file], {
    stdio: 'inherit',
  })
  if (status !== 0) stop(`Failed twice: ${file}`)
}
process.stdout.write(`\nFLAKY, to be fixed: ${failed.join(', ')}\n`)

function stop(why) {
  process.stderr.write(`\n${why}\n`)
  process.exit(1)
}
