import { Meter } from '../measure/meter.ts'
import type { Scenario, Stage, Variant } from './scenario.ts'
import { drained, spentByBackends, startBenchWorker } from './worker-drain.ts'

/** A version that queries each queue separately takes minutes for a thousand queues. */
const patienceMs = 300_000

/** The queues of one round, and how many tasks each has. */
const shapes = [1, 10, 1_000] as const

export const workerQueues: Scenario = {
  name: 'worker-queues',
  shows: 'one worker that serves 1, 10 and 1,000 queues with the same number of tasks in all',
  variants: shapes.map(
    (queues): Variant => ({
      name: queues === 1 ? '1 queue' : `${queues.toLocaleString('en')} queues`,
      suits: (subject) => subject.worker !== undefined,
      round: (stage) => measure(stage, queues),
    }),
  ),
}

async function measure(stage: Stage, queues: number) {
  const { sizes, admin, connections } = stage
  const names = Array.from({ length: queues }, (_, n) => (n === 0 ? 'bench' : `bench-${n}`))
  const db = await connections.get('watch')
  const fill = await connections.get('fill')
  const each = Math.max(1, Math.floor(sizes.tasks / queues))
  for (let from = 0; from < each * queues; from += 1_000) {
    const places = Array.from({ length: Math.min(1_000, each * queues - from) }, (_, n) => from + n)
    await fill.query(`select count(*) from enqueue_many($1::text[], $2::jsonb[])`, [
      places.map((n) => names[n % queues]),
      places.map((n) => `{"n":${n}}`),
    ])
  }
  const meter = await Meter.start(admin, { watch: [db] })
  const worker = await startBenchWorker(stage, () => null, names)
  try {
    await drained(db, patienceMs)
  } catch (error) {
    await worker.stop()
    throw error
  }
  const figures = await meter.stop(each * queues)
  const spent = await spentByBackends(db)
  await worker.stop()
  return { ...figures, databaseMicros: spent / (each * queues), databaseMicrosBy: {} }
}
