import { type Cell, type Metrics, summaryOf } from '../shared/cells.ts'
import { shuffle } from '../shared/statistics.ts'
import type { Sizes } from './sizes.ts'
import { Stage } from './stage.ts'
import type { DurableSubject } from './subjects/subject.ts'
import type { Variant, Workload } from './workloads/workload.ts'

export interface RunOptions {
  readonly clusterUrl: string
  /** What the names of the databases begin with. */
  readonly run: string
  readonly node: string
  readonly subjects: readonly DurableSubject[]
  readonly sizes: Sizes
  readonly rounds: number
  readonly random: () => number
  readonly onProgress: (line: string) => void
}

interface Seat {
  readonly title: string
  readonly variant: Variant
  readonly subject: DurableSubject
  readonly rounds: Metrics[]
  failure?: string
}

/** Stages that are open now. An interrupt closes them. */
export const openStages = new Set<Stage>()

/** Every round goes around all subjects and variants in a new random order, each in a new database. */
export async function runWorkload(workload: Workload, options: RunOptions): Promise<Cell[]> {
  const { rounds, random, subjects } = options
  const seats = workload.variants.flatMap((variant) =>
    subjects
      .filter(({ only }) => only === undefined || only.includes(workload.name))
      .map((subject): Seat => {
        const title = `${workload.name} ${variant.name}, ${subject.name}`
        return { title, variant, subject, rounds: [] }
      }),
  )
  for (let round = 1; round <= rounds; round++) {
    const order = shuffle(seats, random)
    const play = (seat: Seat) => playRound(seat, `${round}/${rounds}`, options)
    if (workload.isTogether === true) await Promise.all(order.map(play))
    else for (const seat of order) await play(seat)
  }
  return seats.map(({ variant, subject, rounds: played, failure }) => ({
    workload: workload.name,
    variant: variant.name,
    subject: subject.name,
    rounds: played,
    ...(failure === undefined ? {} : { failure }),
  }))
}

let databases = 0

/** A subject that fails is out of this variant, and the others go on. */
async function playRound(seat: Seat, title: string, options: RunOptions): Promise<void> {
  if (seat.failure !== undefined) return
  const { clusterUrl, run, node, sizes, onProgress } = options
  databases++
  const database = `${run}_${databases}`
  let stage: Stage | undefined
  try {
    stage = await Stage.open({ clusterUrl, database, node, subject: seat.subject })
    openStages.add(stage)
    const metrics = await seat.variant.round(stage, sizes)
    seat.rounds.push(metrics)
    onProgress(`${seat.title} ${title}: ${summaryOf(metrics)}`)
  } catch (error) {
    seat.failure = error instanceof Error ? error.message : String(error)
    onProgress(`${seat.title} failed: ${seat.failure}`)
  } finally {
    if (stage !== undefined) await closeStage(stage)
  }
}

export async function closeStage(stage: Stage): Promise<void> {
  openStages.delete(stage)
  await stage.close()
}
