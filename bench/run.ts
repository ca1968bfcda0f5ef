import { Client, escapeIdentifier } from 'pg'
import { Connections } from './connections.ts'
import type { Figures } from './measure/figures.ts'
import { tidy } from './measure/relations.ts'
import type { Scenario, Sizes, Stage, Variant } from './scenarios/scenario.ts'
import type { SubjectKind } from './subjects/subject.ts'

export interface RunOptions {
  readonly url: string
  /** The prefix of the schemas' names. */
  readonly run: string
  readonly subjects: readonly SubjectKind[]
  readonly sizes: Sizes
  readonly rounds: number
  readonly onProgress: (line: string) => void
}

/** One subject in one variant, with the figures of all its rounds. */
export interface Cell {
  readonly variant: string
  readonly subject: string
  readonly rounds: readonly Figures[]
  /** Why it was given up; the rounds before that still count. */
  readonly failure?: string
}

interface Seat {
  readonly variant: Variant
  readonly stage: Stage
  readonly rounds: Figures[]
  failure?: string
}

/**
 * Runs one scenario. Rounds go around all subjects and variants (A B A B …): a machine that is
 * slower for a while is slower for all of them.
 */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<Cell[]> {
  const seats: Seat[] = []
  try {
    for (const variant of scenario.variants) {
      for (const kind of options.subjects) await seat(seats, variant, kind, options)
    }
    for (const taken of seats) await attempt(taken, options, () => warmUp(taken))
    const rounds = Math.min(options.rounds, scenario.mostRounds ?? options.rounds)
    for (let round = 1; round <= rounds; round++) {
      for (const taken of seats) {
        await attempt(taken, options, async () => {
          const figures = await playRound(taken)
          taken.rounds.push(figures)
          const rate = Math.round(figures.perSecond).toLocaleString('en')
          options.onProgress(`${scenario.name} ${round}/${rounds} ${title(taken)}: ${rate}/s`)
        })
      }
    }
  } finally {
    for (const taken of seats) await clear(taken)
  }
  return seats.map(({ variant, stage, rounds, failure }) => ({
    variant: variant.name,
    subject: stage.subject.name,
    rounds,
    ...(failure === undefined ? {} : { failure }),
  }))
}

/** A subject that fails is left out. The others continue, so that an hour of measuring is not lost. */
async function attempt(
  taken: Seat,
  { onProgress }: RunOptions,
  work: () => Promise<void>,
): Promise<void> {
  if (taken.failure !== undefined) return
  try {
    await work()
  } catch (error) {
    taken.failure = error instanceof Error ? error.message : String(error)
    onProgress(`${title(taken)} is given up: ${taken.failure}`)
  }
}

async function seat(
  seats: Seat[],
  variant: Variant,
  kind: SubjectKind,
  { url, run, sizes, onProgress }: RunOptions,
): Promise<void> {
  const subject = kind.open(`${run}_${seats.length}`)
  if (variant.suits?.(subject) === false) return
  const connections = new Connections(url, run, subject.schema)
  const admin = await connections.get('admin')
  const taken: Seat = { variant, stage: { subject, sizes, admin, connections }, rounds: [] }
  seats.push(taken)
  await subject.install(admin)
  if (variant.prepare) onProgress(`preparing ${title(taken)}`)
  await variant.prepare?.(taken.stage)
}

/** A short round that does not count: plans are made, functions compiled, tables opened. */
async function warmUp({ variant, stage }: Seat): Promise<void> {
  const { tasks, singles, seconds } = stage.sizes
  const sizes: Sizes = {
    ...stage.sizes,
    tasks: Math.min(tasks, 2_000),
    singles: Math.min(singles, 50),
    seconds: Math.min(seconds, 1),
  }
  await playRound({ variant, stage: { ...stage, sizes }, rounds: [] })
}

async function playRound({ variant, stage }: Seat): Promise<Figures> {
  const figures = await variant.round(stage)
  await tidy(stage.admin)
  return figures
}

async function clear({ variant, stage }: Seat): Promise<void> {
  await variant.finish?.(stage)
  await stage.admin.query(`drop schema if exists ${escapeIdentifier(stage.subject.schema)} cascade`)
  await stage.connections.close()
}

function title({ variant, stage }: Seat): string {
  return `${stage.subject.name}, ${variant.name}`
}

/** The version that the server reports. */
export async function serverVersion(url: string): Promise<string> {
  const client = new Client(url)
  await client.connect()
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  await client.end()
  return rows[0]?.server_version ?? 'unknown'
}
