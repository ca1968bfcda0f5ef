import { setTimeout as delay } from 'node:timers/promises'
import type { Metrics } from '../../shared/cells.ts'
import { monotonicMs } from '../../shared/protocol.ts'
import type { Sizes } from '../sizes.ts'
import type { Stage } from '../stage.ts'
import { progressOf } from './drain.ts'
import { queue, type Workload } from './workload.ts'

const windows = 9
/** Large enough that workers always find full batches, and small enough that tasks are young when claimed. */
const backlog = 5_000
const startMs = 1_000

export const snapshot: Workload = {
  name: 'snapshot',
  shows: 'enqueue and drain while an old snapshot keeps every dead row alive',
  mostRounds: 1,
  variants: [{ name: 'held', needs: 'all', round: underSnapshot }],
}

async function underSnapshot(stage: Stage, sizes: Sizes): Promise<Metrics> {
  const holder = await stage.connect()
  await holder.query('begin isolation level repeatable read')
  await holder.query('select count(*) from pg_class')
  try {
    return await flow(stage, sizes)
  } finally {
    await holder.query('rollback')
    await holder.end()
  }
}

async function flow(stage: Stage, { snapshotSeconds }: Sizes): Promise<Metrics> {
  const [producer, workers] = [await stage.producer(), await stage.workers(1)]
  await workers[0]?.call('startWorker', [queue], 'none')
  const over = new AbortController()
  let sent = 0
  const feed = async () => {
    while (!over.signal.aborted) {
      const { handled } = await progressOf(workers)
      const count = handled + backlog - sent
      if (count > 0) await producer.call('fill', { queues: [queue], count })
      sent += Math.max(count, 0)
      await delay(2)
    }
  }
  const feeding = feed()
  await delay(startMs)
  const rates: number[] = []
  for (let window = 0; window < windows; window++) {
    const [before, startedAt] = [(await progressOf(workers)).handled, monotonicMs()]
    await delay((snapshotSeconds * 1_000) / windows)
    const { handled } = await progressOf(workers)
    rates.push(((handled - before) * 1_000) / (monotonicMs() - startedAt))
  }
  over.abort()
  await feeding
  await workers[0]?.call('stopWorker')
  const [first, last] = [rates[0] ?? Number.NaN, rates.at(-1) ?? Number.NaN]
  const named = rates.map((rate, n) => [`w${n + 1}`, rate] as const)
  return { first, last, share: last / first, ...Object.fromEntries(named) }
}
