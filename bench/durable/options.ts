import { parseArgs } from 'node:util'
import { countOf, listOf } from '../shared/read-options.ts'
import { fullSizes, quickSizes, type Sizes } from './sizes.ts'
import { subjectNamed, subjects } from './subjects/all.ts'
import type { DurableSubject } from './subjects/subject.ts'
import { workloads } from './workloads/all.ts'
import type { Workload } from './workloads/workload.ts'

export interface DurableOptions {
  readonly workloads: readonly Workload[]
  readonly subjects: readonly DurableSubject[]
  readonly rounds: number
  readonly seed: number
  readonly sizes: Sizes
  readonly isList: boolean
  readonly isHelp: boolean
  /** Write docs/durable-compared.md from these results, and measure nothing. */
  readonly pageOf: readonly string[]
  readonly databaseUrl: string | undefined
  readonly bin: string | undefined
}

export const usage = `npm run bench:durable -- [options]

  --quick                 small sizes and one round, to see that it works
  --only <workload,…>     these workloads only; --list shows them
  --subjects <name,…>     these subjects only: ${subjects.map(({ name }) => name).join(', ')}
  --rounds <n>            rounds, each in a random order (default 3; with --quick 1)
  --seed <n>              the same order again (default: by the clock; it is printed)
  --list                  what there is to measure
  --page <file.json,…>    write docs/durable-compared.md from results, and measure nothing
  --database-url <url>    a server that runs already, instead of one of this run alone
  --bin <directory>       the programs of another Postgres for the run's own server
`

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

/** Reads the command line. Throws an error that says what is wrong and what is allowed. */
export function parseDurableOptions(argv: readonly string[]): DurableOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      ...{ quick: flag, list: flag, help: flag },
      ...{ only: text, subjects: text, rounds: text, seed: text, page: text },
      ...{ 'database-url': text, bin: text },
    },
  })
  const isQuick = values.quick ?? false
  return {
    workloads: values.only === undefined ? workloads : listOf('only', values.only, workloadNamed),
    subjects:
      values.subjects === undefined ? subjects : listOf('subjects', values.subjects, subjectNamed),
    rounds: countOf('rounds', values.rounds, isQuick ? 1 : 3),
    seed: countOf('seed', values.seed, Date.now() % 1_000_000),
    sizes: isQuick ? quickSizes : fullSizes,
    isList: values.list ?? false,
    isHelp: values.help ?? false,
    pageOf: values.page === undefined ? [] : listOf('page', values.page, (file) => file),
    databaseUrl: values['database-url'],
    bin: values.bin,
  }
}

function workloadNamed(name: string): Workload {
  const workload = workloads.find((candidate) => candidate.name === name)
  if (workload === undefined) {
    const known = workloads.map((each) => each.name).join(', ')
    throw new Error(`unknown workload "${name}". There are ${known}.`)
  }
  return workload
}
