import { DatabaseMeter } from '../../shared/database-meter.ts'
import { queue, type Workload } from './workload.ts'

export const enqueueBulk: Workload = {
  name: 'enqueue-bulk',
  shows: 'enqueue 1,000 tasks a call, one caller',
  variants: [
    {
      name: 'one',
      needs: 'all',
      round: async (stage, { tasks }) => {
        const producer = await stage.producer()
        const meter = await DatabaseMeter.start(stage.admin)
        const seconds = await producer.call('fill', { queues: [queue], count: tasks })
        const databaseMicros = (await meter.stop()) / tasks
        await stage.tidy()
        return { perSecond: tasks / seconds, databaseMicros }
      },
    },
  ],
}

export const enqueueSingle: Workload = {
  name: 'enqueue-single',
  shows: 'enqueue one task a call: 1, 10 and 32 callers, and inside a transaction',
  variants: [
    {
      name: 'all',
      needs: 'all',
      round: async (stage, { singleSeconds: seconds }) => {
        const producer = await stage.producer()
        const metrics = {
          one: await producer.call('enqueueSingly', 1, seconds),
          ten: await producer.call('enqueueSingly', 10, seconds),
          many: await producer.call('enqueueSingly', 32, seconds),
          transaction: await producer.call('enqueueInTransactions', seconds),
        }
        await stage.tidy()
        return metrics
      },
    },
  ],
}
