import { parseArgs } from 'node:util'
import { scenarios } from './scenarios/all.ts'
import type { Scenario, Sizes } from './scenarios/scenario.ts'

export interface Options {
  readonly scenarios: readonly Scenario[]
  readonly against: readonly string[]
  readonly designs: readonly string[]
  readonly rounds: number
  readonly sizes: Sizes
  readonly isQuick: boolean
  readonly isList: boolean
  readonly isHelp: boolean
  readonly json: string | undefined
  readonly databaseUrl: string | undefined
  readonly bin: string | undefined
}

export const usage = `npm run bench -- [scenario …] [options]

  --list                what there is to measure
  --against <ref>       also the sql/ of this commit; may be given several times
  --designs <names>     which designs run beside it: plain,classic,functions,fetchq (default: plain), or none
  --rounds <n>          rounds around all subjects (default 5; with --quick 2)
  --quick               a twentieth of all sizes, to see that it works
  --tasks, --singles, --background, --groups, --hot, --seconds <n>
                        a size of its own; see bench/README.md
  --json <file>         all results in one file, beside bench/results/
  --database-url <url>  a server that runs already, instead of one of this run alone
  --bin <directory>     the programs of another Postgres for the run's own server
`

const full: Sizes = {
  tasks: 50_000,
  singles: 3_000,
  background: 1_000_000,
  groups: 10_000,
  hot: 100_000,
  seconds: 90,
}
const quickDivisor = 20

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

/** Reads the command line; says what is wrong with it by throwing. */
export function parseOptions(argv: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      against: { ...text, multiple: true },
      designs: text,
      rounds: text,
      tasks: text,
      singles: text,
      background: text,
      groups: text,
      hot: text,
      seconds: text,
      json: text,
      'database-url': text,
      bin: text,
      quick: flag,
      list: flag,
      help: flag,
    },
  })
  const isQuick = values.quick ?? false
  return {
    scenarios: positionals.length === 0 ? scenarios : positionals.map(named),
    against: values.against ?? [],
    designs: (values.designs ?? 'plain').split(',').filter((name) => name !== 'none'),
    rounds: count('rounds', values.rounds, isQuick ? 2 : 5),
    sizes: sizesFrom(values, isQuick),
    isQuick,
    isList: values.list ?? false,
    isHelp: values.help ?? false,
    json: values.json,
    databaseUrl: values['database-url'],
    bin: values.bin,
  }
}

function named(name: string): Scenario {
  const scenario = scenarios.find((candidate) => candidate.name === name)
  if (scenario === undefined) throw new Error(`no scenario ${name}; --list shows them all`)
  return scenario
}

function sizesFrom(
  given: Partial<Record<keyof Sizes, string | undefined>>,
  isQuick: boolean,
): Sizes {
  const size = (name: keyof Sizes) =>
    count(name, given[name], isQuick ? Math.ceil(full[name] / quickDivisor) : full[name])
  return {
    tasks: size('tasks'),
    singles: size('singles'),
    background: size('background'),
    groups: size('groups'),
    hot: size('hot'),
    seconds: size('seconds'),
  }
}

function count(name: string, given: string | undefined, otherwise: number): number {
  const value = given === undefined ? otherwise : Number(given)
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`--${name} takes a whole number from 1`)
  return value
}
