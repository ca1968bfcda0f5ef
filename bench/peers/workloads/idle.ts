import { setTimeout as delay } from 'node:timers/promises'
import { connectionsNow, DatabaseMeter, statementsSoFar } from '../../shared/database-meter.ts'
import { queue, type Workload } from './workload.ts'

const count = 10

export const idle: Workload = {
  name: 'idle',
  shows: 'what 10 idle worker processes ask of the database',
  mostRounds: 1,
  isCold: true,
  isTogether: true,
  variants: [
    {
      name: 'ten',
      needs: 'wakes',
      countsStatements: true,
      round: async (stage, { settleSeconds, idleSeconds }) => {
        await stage.closeProducer()
        const workers = await stage.workers(count)
        await Promise.all(workers.map((worker) => worker.call('startWorker', [queue], 'none')))
        await delay(settleSeconds * 1_000)
        const meter = await DatabaseMeter.start(stage.admin)
        const before = await statementsSoFar(stage.admin)
        await delay(idleSeconds * 1_000)
        const statements = (await statementsSoFar(stage.admin)) - before
        const micros = await meter.stop()
        const connections = await connectionsNow(stage.admin)
        return {
          statements: statements / idleSeconds,
          connections,
          databaseMsPerSecond: micros / 1_000 / idleSeconds,
        }
      },
    },
  ],
}
