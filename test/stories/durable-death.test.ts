import { expect } from 'vitest'
import { range } from '../support/crowd.ts'
import { expectEachEffectOnce, sendGo, startDurables } from '../support/durable-story.ts'
import { test } from '../support/processes.ts'
import { until } from '../support/until.ts'

const count = 30

test('durable tasks whose workers are killed between steps have each effect once, and none is stranded', {
  timeout: 300_000,
}, async ({ engine, schema, spawnWorker }) => {
  const ids = await startDurables(engine, schema, count)
  // The session of this one outlives its worker and the lease, in the middle of a step.
  await engine.rows('insert into brake values (1, 5)')
  const options = { sql: true, leaseMs: 2_000, concurrency: 4 }
  const effects = () => engine.value<number>('select count(*)::int from effects')
  for (const round of range(3)) {
    const worker = await spawnWorker(options)
    const before = await effects()
    // Signals come before, while and after the tasks wait for them.
    for (const id of ids.slice(round * 10, round * 10 + 10)) await sendGo(engine, id)
    await until(async () => (await effects()) > Math.min(before + 20, count * 5 - 20))
    worker.send('SIGKILL')
    await worker.ended
    await engine.rows('delete from brake')
  }
  await spawnWorker(options)
  await until(() => engine.value('select not exists (select from tasks)'))

  const isAsleep = `select exists (select from pg_stat_activity where wait_event = 'PgSleep' and query like $1)`
  await until(async () => !(await engine.value(isAsleep, `%${schema}%durable%`)))
  await expectEachEffectOnce(engine, count)
  expect(
    await engine.value(`select count(*)::int from attempt where reason = 'lost'`),
  ).toBeGreaterThan(0)
})
