import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { Meter } from '../measure/meter.ts'
import { fill } from './fill.ts'
import type { Scenario, Variant } from './scenario.ts'
import { startBenchWorker } from './worker-drain.ts'

const queue = 'bench'
const patienceMs = 120_000

export const serialGroup: Scenario = {
  name: 'serial-group',
  shows:
    'one worker as it comes on tasks of one group, which do nothing and run one or four at a time',
  variants: [limited(1), limited(4)],
}

function limited(limit: number): Variant {
  return {
    name: `limit ${limit}`,
    suits: (subject) => subject.keepsGroups,
    prepare: ({ subject, admin }) => subject.limitGroups(admin, ['serial'], limit),
    async round(stage) {
      const { sizes, admin, connections } = stage
      await fill(stage, { queue, count: sizes.singles, groupOf: () => 'serial' })
      const db = await connections.get('watch')
      const meter = await Meter.start(admin, { watch: [db] })
      const worker = await startBenchWorker(stage, () => null)
      await drained(db)
      const figures = await meter.stop(sizes.singles)
      await worker.stop()
      return figures
    },
  }
}

async function drained(db: Client): Promise<void> {
  const giveUpAt = performance.now() + patienceMs
  const text = 'select exists (select from tasks) as left'
  while ((await db.query<{ left: boolean }>(text)).rows[0]?.left) {
    if (performance.now() > giveUpAt) throw new Error('the worker does not finish')
    await delay(20)
  }
}
