import type { Json } from '../../src/engine/task.ts'
import type { TestEngine } from './test-engine.ts'

/** A schedule that could be any: by default a task for mail every minute. */
export async function plan(
  engine: TestEngine,
  settings: Readonly<Record<string, Json>> = {},
  name = 'report',
): Promise<Date | null> {
  const way = ['cron', 'every', 'at'].some((given) => given in settings)
  return engine.setSchedule(name, {
    task: { queue: 'mail' },
    ...(way ? {} : { every: '1 minute' }),
    ...settings,
  })
}

/** What became of each planned time, the oldest first: `fired`, or why it was skipped. */
export async function outcomes(engine: TestEngine, name = 'report'): Promise<string[]> {
  const rows = await engine.rows<{ said: string }>(
    `select coalesce(reason, outcome) as said from occurrence where schedule = $1 order by planned_at`,
    name,
  )
  return rows.map(({ said }) => said)
}

/** Fires until nothing is due, and tells how often that took. */
export async function fireAll(engine: TestEngine): Promise<number> {
  for (let calls = 1; ; calls += 1) {
    const { next_in_ms } = await engine.fire()
    if (next_in_ms === null || next_in_ms > 50) return calls
  }
}
