import { Meter } from '../measure/meter.ts'
import type { Scenario, Stage, Variant } from './scenario.ts'

const queue = 'bench'
const bulk = 1_000

export const enqueueBulk: Scenario = {
  name: 'enqueue-bulk',
  shows: 'one caller that enqueues 1,000 tasks with each call',
  variants: [
    {
      name: 'calls of 1000',
      async round(stage) {
        const { subject, admin, connections, sizes } = stage
        const db = await connections.get('enqueue')
        await empty(stage)
        const meter = await Meter.start(admin, { enqueue: [db] })
        for (let sent = 0; sent < sizes.tasks; sent += bulk) {
          await subject.enqueueMany(db, { queue, count: Math.min(bulk, sizes.tasks - sent) })
        }
        return meter.stop(sizes.tasks)
      },
    },
  ],
}

export const enqueueSingle: Scenario = {
  name: 'enqueue-single',
  shows: 'callers that enqueue one task at a time, each on a connection of its own',
  variants: [singles(1), singles(10)],
}

function singles(callers: number): Variant {
  return {
    name: callers === 1 ? '1 caller' : `${callers} callers`,
    async round(stage) {
      const { subject, admin, connections, sizes } = stage
      await empty(stage)
      const clients = await Promise.all(
        Array.from({ length: callers }, (_, n) => connections.get(`enqueue ${n}`)),
      )
      let left = sizes.singles
      const meter = await Meter.start(admin, { enqueue: clients })
      await Promise.all(
        clients.map(async (db) => {
          while (left-- > 0) await subject.enqueueOne(db, queue)
        }),
      )
      return meter.stop(sizes.singles)
    },
  }
}

/** Every round fills an empty table. Otherwise later rounds would pay for deeper indexes. */
async function empty({ admin }: Stage): Promise<void> {
  await admin.query('truncate tasks')
}
