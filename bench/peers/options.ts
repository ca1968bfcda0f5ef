import { parseArgs } from 'node:util'
import { countOf, listOf } from '../shared/read-options.ts'
import { fullSizes, quickSizes, type Sizes } from './sizes.ts'
import type { PeerSubject } from './subjects/adapter.ts'
import { subjectNamed, subjects } from './subjects/all.ts'
import { workloads } from './workloads/all.ts'
import type { Workload } from './workloads/workload.ts'

export interface PeerOptions {
  readonly workloads: readonly Workload[]
  readonly subjects: readonly PeerSubject[]
  readonly rounds: number
  readonly seed: number
  readonly sizes: Sizes
  readonly isQuick: boolean
  readonly isList: boolean
  readonly isHelp: boolean
  /** Write docs/performance.md and its plots from these results, and measure nothing. */
  readonly pageOf: readonly string[]
  readonly databaseUrl: string | undefined
  readonly bin: string | undefined
}

export const usage = `npm run bench:peers -- [options]

  --quick                 small sizes and one round, to see that it works
  --only <workload,…>     these workloads only; --list shows them
  --subjects <name,…>     these subjects only: ${subjects.map(({ name }) => name).join(', ')}
  --rounds <n>            rounds, each in a random order of the subjects (default 3; with --quick 1)
  --seed <n>              the same order again (default: by the clock; it is printed)
  --tasks, --background, --million, --groups, --rate, --snapshot-seconds <n>
                          a size of its own
  --list                  what there is to measure
  --page <file.json,…>    write docs/performance.md and its plots from results, and measure nothing
  --database-url <url>    a server that runs already, instead of one of this run alone
  --bin <directory>       the programs of another Postgres for the run's own server
`

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

const sizeFlags = {
  tasks: 'tasks',
  background: 'background',
  million: 'million',
  groups: 'groups',
  rate: 'rate',
  'snapshot-seconds': 'snapshotSeconds',
} as const

/** Reads the command line. Throws an error that says what is wrong and what is allowed. */
export function parsePeerOptions(argv: readonly string[]): PeerOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      ...{ quick: flag, list: flag, help: flag },
      ...{ only: text, subjects: text, rounds: text, seed: text, page: text },
      ...{ tasks: text, background: text, million: text, groups: text, rate: text },
      ...{ 'snapshot-seconds': text, 'database-url': text, bin: text },
    },
  })
  const isQuick = values.quick ?? false
  return {
    workloads: values.only === undefined ? workloads : listOf('only', values.only, workloadNamed),
    subjects:
      values.subjects === undefined ? subjects : listOf('subjects', values.subjects, subjectNamed),
    rounds: countOf('rounds', values.rounds, isQuick ? 1 : 3),
    seed: countOf('seed', values.seed, Date.now() % 1_000_000),
    sizes: sizesFrom(values, isQuick ? quickSizes : fullSizes),
    isQuick,
    isList: values.list ?? false,
    isHelp: values.help ?? false,
    pageOf: values.page === undefined ? [] : listOf('page', values.page, (file) => file),
    databaseUrl: values['database-url'],
    bin: values.bin,
  }
}

function sizesFrom(
  values: Partial<Record<keyof typeof sizeFlags, string | undefined>>,
  sizes: Sizes,
): Sizes {
  const given = Object.entries(sizeFlags).map(([name, size]) => {
    const value = values[name as keyof typeof sizeFlags]
    return [size, countOf(name, value, sizes[size])] as const
  })
  return { ...sizes, ...Object.fromEntries(given) }
}

function workloadNamed(name: string): Workload {
  const workload = workloads.find((candidate) => candidate.name === name)
  if (workload === undefined) {
    const known = workloads.map((each) => each.name).join(', ')
    throw new Error(`unknown workload "${name}". There are ${known}.`)
  }
  return workload
}
