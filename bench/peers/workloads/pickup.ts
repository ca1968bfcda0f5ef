import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseMeter, statementsSoFar } from '../../shared/database-meter.ts'
import { monotonicMs } from '../../shared/protocol.ts'
import { untilHandled } from './drain.ts'
import { queue, type Workload } from './workload.ts'

/** How long to wait until a worker that found nothing sleeps. */
const settleMs = 1_000

export const trickle: Workload = {
  name: 'trickle',
  shows: 'tasks come one at a time to an idle worker: pickup time, statements, database time',
  mostRounds: 3,
  variants: [
    {
      name: 'one',
      needs: 'wakes',
      countsStatements: true,
      round: async (stage, { singles, patienceSeconds }) => {
        const [producer, workers] = [await stage.producer(), await stage.workers(1)]
        const [worker] = workers
        await worker?.call('startWorker', [queue], 'none')
        await delay(settleMs)
        const meter = await DatabaseMeter.start(stage.admin)
        const before = await statementsSoFar(stage.admin)
        await producer.call('trickle', singles)
        await untilHandled(workers, singles, patienceSeconds)
        await delay(100)
        const statements = (await statementsSoFar(stage.admin)) - before
        const micros = await meter.stop()
        const latencies = await worker?.call('latencies', 0)
        await worker?.call('stopWorker')
        return {
          p50: latencies?.p50 ?? Number.NaN,
          p99: latencies?.p99 ?? Number.NaN,
          databaseMs: micros / 1_000 / singles,
          statements: statements / singles,
        }
      },
    },
  ],
}

export const steady: Workload = {
  name: 'steady',
  shows: 'pickup time while tasks come at a steady rate',
  mostRounds: 2,
  variants: [
    {
      name: 'one',
      needs: 'wakes',
      round: async (stage, { rate, steadySeconds, patienceSeconds }) => {
        const [producer, workers] = [await stage.producer(), await stage.workers(1)]
        const [worker] = workers
        await worker?.call('startWorker', [queue], 'none')
        await delay(settleMs)
        const startedAt = monotonicMs()
        const enqueued = await producer.call('enqueueSteadily', rate, steadySeconds)
        // Tasks that still wait count too. Otherwise the slowest would be left out.
        await untilEmptyOrLate(stage.isPending.bind(stage), patienceSeconds)
        const latencies = await worker?.call('latencies', startedAt + settleMs)
        await worker?.call('stopWorker')
        await stage.tidy()
        return {
          p50: latencies?.p50 ?? Number.NaN,
          p99: latencies?.p99 ?? Number.NaN,
          enqueued,
        }
      },
    },
  ],
}

async function untilEmptyOrLate(isPending: () => Promise<boolean>, seconds: number): Promise<void> {
  const givesUpAt = monotonicMs() + seconds * 1_000
  while ((await isPending()) && monotonicMs() < givesUpAt) await delay(50)
}
