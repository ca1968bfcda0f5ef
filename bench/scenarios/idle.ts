import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { Meter } from '../measure/meter.ts'
import type { Scenario } from './scenario.ts'
import { startBenchWorker } from './worker-drain.ts'

const workers = 10
/** Until all have backed off. */
const settleMs = 45_000

export const idle: Scenario = {
  name: 'idle',
  shows: 'what ten workers with nothing to do ask of the database; transactions per second in all',
  mostRounds: 1,
  variants: [
    {
      name: `${workers} workers`,
      suits: (subject) => subject.keepsGroups,
      async round(stage) {
        const { admin, sizes } = stage
        const isRehearsal = sizes.seconds < 5
        const started = await Promise.all(
          Array.from({ length: workers }, () => startBenchWorker(stage, () => null)),
        )
        await delay(isRehearsal ? 100 : settleMs)
        const meter = await Meter.start(admin, {})
        const before = await transactions(admin)
        await delay(sizes.seconds * 1_000)
        const asked = (await transactions(admin)) - before
        const figures = await meter.stop(1)
        await Promise.all(started.map((worker) => worker.stop()))
        return { ...figures, more: { perSecond: asked / sizes.seconds } }
      },
    },
  ],
}

/** Of the whole database: the few of the measurement itself are part of it. */
async function transactions(db: Client): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select (xact_commit + xact_rollback)::float8 as n from pg_stat_database where datname = current_database()`,
  )
  return rows[0]?.n ?? 0
}
