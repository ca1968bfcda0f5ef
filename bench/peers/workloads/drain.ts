import { setTimeout as delay } from 'node:timers/promises'
import type { Metrics } from '../../shared/cells.ts'
import { DatabaseMeter } from '../../shared/database-meter.ts'
import { monotonicMs } from '../../shared/protocol.ts'
import type { Fill, Progress } from '../agent/protocol.ts'
import type { Sizes } from '../sizes.ts'
import type { PeerAgent, Stage } from '../stage.ts'
import { queue, type Workload } from './workload.ts'

const lookMs = 10

export interface DrainOptions extends Partial<Omit<Fill, 'count'>> {
  readonly tasks: number
  readonly processes?: number
  /** The drain ends with the last handler, not with the last row, because other tasks stay in the table. */
  readonly isAmongOthers?: boolean
  /** The time runs from the start of the worker, because one batch can hold all tasks, and the first handler then starts late. */
  readonly isFewBatches?: boolean
}

export const drainAlone: Workload = {
  name: 'drain',
  shows: 'drain no-op tasks with one process',
  variants: [{ name: 'one', round: (stage, sizes) => drain(stage, sizes, { tasks: sizes.tasks }) }],
}

export const processes: Workload = {
  name: 'processes',
  shows: 'drain with 1, 2 and 4 processes',
  variants: [1, 2, 4].map((count) => ({
    name: `${count}`,
    needs: 'all',
    round: (stage, sizes) => drain(stage, sizes, { tasks: sizes.tasks, processes: count }),
  })),
}

export const million: Workload = {
  name: 'million',
  shows: 'drain 1 M tasks with one process that has just started; its peak memory',
  mostRounds: 1,
  isCold: true,
  variants: [
    {
      name: 'one',
      needs: 'all',
      round: (stage, sizes) =>
        drain(stage, { ...sizes, patienceSeconds: 240 }, { tasks: sizes.million }),
    },
  ],
}

/** Fills the queue, starts workers, and waits until all tasks have run and the database has nothing left to do. */
export async function drain(stage: Stage, sizes: Sizes, options: DrainOptions): Promise<Metrics> {
  const { tasks, processes: count = 1, isAmongOthers, isFewBatches, ...fill } = options
  const { queues = [queue], groupLimit = 'none' } = fill
  await (await stage.producer()).call('fill', { ...fill, queues, count: tasks })
  await stage.tidy()
  const workers = await stage.workers(count)
  await Promise.all(workers.map((worker) => worker.call('startWorker', queues, groupLimit)))
  const startedAt = monotonicMs()
  // Measured from the first task on. The start of a worker does not belong to a rate, and would dominate short rounds.
  const begun = await untilHandled(workers, 1, sizes.patienceSeconds)
  const meter = await DatabaseMeter.start(stage.admin)
  const cpuBefore = await cpuOf(workers)
  const progress = await untilHandled(workers, tasks, sizes.patienceSeconds)
  const isFinished = progress.handled >= tasks
  if (isFinished && !isAmongOthers) await untilEmpty(stage, sizes)
  const endedAt = isFinished && isAmongOthers ? progress.lastAt : monotonicMs()
  const cpu = { database: await meter.stop(), node: (await cpuOf(workers)) - cpuBefore }
  const usages = await Promise.all(workers.map((worker) => worker.call('usage')))
  await Promise.all(workers.map((worker) => worker.call('stopWorker')))
  if (progress.handled === 0) throw new Error('no task ran')
  const measured = progress.handled - begun.handled
  const firstAt = isFewBatches ? Math.min(startedAt, progress.firstAt) : progress.firstAt
  return {
    perSecond: (progress.handled * 1_000) / (endedAt - firstAt),
    nodeMicros: cpu.node / measured,
    databaseMicros: cpu.database / measured,
    micros: (cpu.node + cpu.database) / measured,
    peakRssMb: Math.max(...usages.map(({ peakRssBytes }) => peakRssBytes)) / 2 ** 20,
    finished: isFinished ? 1 : 0,
  }
}

async function cpuOf(workers: readonly PeerAgent[]): Promise<number> {
  const usages = await Promise.all(workers.map((worker) => worker.call('usage')))
  return usages.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0)
}

export async function untilHandled(
  workers: readonly PeerAgent[],
  tasks: number,
  seconds: number,
): Promise<Progress> {
  const givesUpAt = monotonicMs() + seconds * 1_000
  for (;;) {
    const progress = await progressOf(workers)
    if (progress.handled >= tasks || monotonicMs() > givesUpAt) return progress
    await delay(lookMs)
  }
}

/** Of all processes together: their clock is the same. */
export async function progressOf(workers: readonly PeerAgent[]): Promise<Progress> {
  const each = await Promise.all(workers.map((worker) => worker.call('progress')))
  const begun = each.filter(({ handled }) => handled > 0)
  return {
    handled: each.reduce((sum, { handled }) => sum + handled, 0),
    firstAt: Math.min(...begun.map(({ firstAt }) => firstAt)),
    lastAt: Math.max(...begun.map(({ lastAt }) => lastAt)),
  }
}

/** The last reports may still be on their way. */
async function untilEmpty(stage: Stage, { patienceSeconds }: Sizes): Promise<void> {
  const givesUpAt = monotonicMs() + patienceSeconds * 1_000
  while (await stage.isPending()) {
    if (monotonicMs() > givesUpAt) throw new Error('tasks ran, but were never completed')
    await delay(5)
  }
}
