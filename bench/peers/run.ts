import { type Cell, type Metrics, summaryOf } from '../shared/cells.ts'
import { shuffle } from '../shared/statistics.ts'
import type { Sizes } from './sizes.ts'
import { warmUpSizes } from './sizes.ts'
import { Stage } from './stage.ts'
import type { PeerSubject } from './subjects/adapter.ts'
import { queue, type Variant, type Workload } from './workloads/workload.ts'

export interface RunOptions {
  readonly clusterUrl: string
  /** The prefix of the names of the databases. */
  readonly run: string
  readonly node: string
  readonly subjects: readonly PeerSubject[]
  readonly sizes: Sizes
  readonly rounds: number
  readonly random: () => number
  readonly onProgress: (line: string) => void
}

interface Seat {
  readonly title: string
  readonly variant: Variant
  readonly subject: PeerSubject
  readonly rounds: Metrics[]
  stage?: Stage
  failure?: string
}

/** Stages that are open now. An interrupt closes them. */
export const openStages = new Set<Stage>()

/** Every round goes around all subjects and variants in a new random order: a busy minute hits each of them alike. */
export async function runWorkload(workload: Workload, options: RunOptions): Promise<Cell[]> {
  const seats = workload.variants.flatMap((variant) =>
    options.subjects
      .filter(({ skills }) => variant.needs === undefined || skills.includes(variant.needs))
      .map((subject): Seat => {
        const title = `${workload.name} ${variant.name}, ${subject.name}`
        return { title, variant, subject, rounds: [] }
      }),
  )
  try {
    await eachSeat(seats, options, false, (seat) => open(seat, options))
    if (!workload.isCold) {
      const small = warmUpSizes(options.sizes)
      await eachSeat(seats, options, false, ({ variant }, stage) => variant.round(stage, small))
    }
    const rounds = Math.min(options.rounds, workload.mostRounds ?? options.rounds)
    for (let round = 1; round <= rounds; round++) {
      const order = shuffle(seats, options.random)
      await eachSeat(order, options, workload.isTogether ?? false, async (seat, stage) => {
        const metrics = await seat.variant.round(stage, options.sizes)
        seat.rounds.push(metrics)
        options.onProgress(`${seat.title} ${round}/${rounds}: ${summaryOf(metrics)}`)
      })
    }
  } finally {
    for (const { stage } of seats) if (stage !== undefined) await closeStage(stage)
  }
  return seats.map(({ variant, subject, rounds, failure }) => ({
    workload: workload.name,
    variant: variant.name,
    subject: subject.name,
    rounds,
    ...(failure === undefined ? {} : { failure }),
  }))
}

/** A subject that fails is left out of the workload. The others continue. */
async function eachSeat(
  seats: readonly Seat[],
  { onProgress }: RunOptions,
  isTogether: boolean,
  work: (seat: Seat, stage: Stage) => Promise<unknown>,
): Promise<void> {
  const attempt = async (seat: Seat) => {
    if (seat.failure !== undefined) return
    try {
      await work(seat, seat.stage as Stage)
    } catch (error) {
      seat.failure = error instanceof Error ? error.message : String(error)
      onProgress(`${seat.title} failed: ${seat.failure}`)
    }
  }
  if (isTogether) await Promise.all(seats.map(attempt))
  else for (const seat of seats) await attempt(seat)
}

let databases = 0

async function open(seat: Seat, { clusterUrl, run, node, sizes }: RunOptions): Promise<void> {
  const { variant, subject } = seat
  databases++
  seat.stage = await Stage.open({
    clusterUrl,
    database: `${run}_${databases}`,
    node,
    subject,
    queues: variant.queues?.(sizes) ?? [queue],
    countsStatements: variant.countsStatements ?? false,
  })
  openStages.add(seat.stage)
  await variant.prepare?.(seat.stage, sizes)
}

export async function closeStage(stage: Stage): Promise<void> {
  openStages.delete(stage)
  await stage.close()
}
