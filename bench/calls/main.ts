import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { openCluster } from '../cluster.ts'
import { currentLoad } from '../measure/machine.ts'
import { copySql, project } from '../project.ts'
import { markdownTable } from '../shared/format.ts'
import { countOf, listOf } from '../shared/read-options.ts'
import { spreadOf } from '../shared/statistics.ts'
import type { CallSubject } from './call.ts'
import { engineCalls } from './engine-calls.ts'
import { fetchqCalls } from './fetchq-calls.ts'
import { beginLaps, timeCall } from './laps.ts'
import { openEngines, openFetchq } from './subjects.ts'

const usage = `npm run bench:calls -- [options]

  --against <ref,…>       the engine of these commits beside that of the working tree
  --fetchq                the calls of Fetchq instead: the dialect beside the original
  --only <text>           only calls whose name contains the text
  --rounds <n>            laps of each subject, in turn (default 25)
  --calls <n>             calls a lap (default 100)
  --one-transaction       all calls of a lap in one transaction, instead of one each
  --bin <directory>       the programs of another Postgres
`

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const { values } = parseArgs({
  options: {
    against: text,
    fetchq: flag,
    only: text,
    rounds: text,
    calls: text,
    'one-transaction': flag,
    bin: text,
    help: flag,
  },
})
const sizes = {
  rounds: countOf('rounds', values.rounds, 25),
  calls: countOf('calls', values.calls, 100),
  isOneTransaction: values['one-transaction'] ?? false,
}

async function measure(url: string, scratch: string): Promise<void> {
  const db = new Client({ connectionString: url, options: '-c client_min_messages=warning' })
  await db.connect()
  const refs = values.against === undefined ? [] : listOf('against', values.against, String)
  const subjects = values.fetchq
    ? await openFetchq(db)
    : await openEngines(db, project, scratch, refs)
  await beginLaps(db)
  const lines: string[][] = []
  for (const call of values.fetchq ? fetchqCalls : engineCalls) {
    if (values.only !== undefined && !call.name.includes(values.only)) continue
    process.stderr.write(`${call.name}\n`)
    lines.push([call.name, ...figures(await timeCall(db, subjects, call, sizes))])
  }
  console.log(markdownTable(heads(subjects), lines))
  console.log(`\nload ${currentLoad()} at the end`)
  await db.end()
}

function heads(subjects: readonly CallSubject[]): string[] {
  const [first, ...others] = subjects.map(({ name }) => name)
  return [
    'µs per call, median (p20)',
    String(first),
    ...others.flatMap((name) => [name, `${first} ÷ ${name}`]),
  ]
}

/** Each subject's times, and the first's as a ratio to those of each other, median and p20. */
function figures([first = [], ...others]: readonly number[][]): string[] {
  const times = (laps: readonly number[]) =>
    `${medianOf(laps).toFixed(0)} (${lowOf(laps).toFixed(0)})`
  return [
    times(first),
    ...others.flatMap((laps) => [
      times(laps),
      `${(medianOf(first) / medianOf(laps)).toFixed(2)} (${(lowOf(first) / lowOf(laps)).toFixed(2)})`,
    ]),
  ]
}

const medianOf = (laps: readonly number[]) => spreadOf(laps)?.median ?? Number.NaN

function lowOf(laps: readonly number[]): number {
  return [...laps].sort((a, b) => a - b)[Math.floor(laps.length / 5)] ?? Number.NaN
}

if (values.help) {
  process.stdout.write(usage)
} else {
  await copySql()
  const scratch = await mkdtemp(join(tmpdir(), 'tusk-bench-calls-'))
  const cluster = await openCluster(undefined, values.bin, (line) =>
    process.stderr.write(`${line}\n`),
  )
  try {
    await measure(cluster.url, scratch)
  } finally {
    await cluster.stop()
    await rm(scratch, { recursive: true, force: true })
  }
}
