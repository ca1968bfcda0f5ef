import { describe, expect } from 'vitest'
import { faultsIn } from '../support/books.ts'
import { range } from '../support/crowd.ts'
import { test } from '../support/processes.ts'
import { until } from '../support/until.ts'

const limit = 300_000
// A busy machine loses leases besides those of the dead: none may run out of attempts.
const sqlTask = (sql: string) => ({
  queue: 'sql',
  kind: 'sql' as const,
  payload: { sql },
  maxAttempts: 100,
})

describe('a worker that is killed in the middle of a statement', () => {
  test('leaves no effect, and another runs it once', { timeout: limit }, async ({
    engine,
    schema,
    spawnWorker,
  }) => {
    await engine.rows('create table effect (n int); create table brake as select 300 as seconds')
    const slow = `insert into ${schema}.effect values (1); select pg_sleep(seconds) from ${schema}.brake;
      insert into ${schema}.effect values (2)`
    const { id } = await engine.enqueue(sqlTask(slow))
    const doomed = await spawnWorker({ sql: true, leaseMs: 2_000 })
    await until(() =>
      engine.value(`select exists (select from running_sql where wait_event = 'PgSleep')`),
    )

    doomed.send('SIGKILL')
    await doomed.ended
    await engine.rows('delete from brake')
    await spawnWorker({ sql: true, leaseMs: 2_000 })
    await until(() => engine.value('select not exists (select from tasks)'))

    expect(await engine.rows('select n from effect order by n')).toEqual([{ n: 1 }, { n: 2 }])
    expect(await engine.task(id)).toMatchObject({
      state: 'done',
      output: { delivery: 'exactly_once' },
    })
    expect(await engine.rows('select distinct reason from attempt')).toEqual([{ reason: 'lost' }])
    expect(await faultsIn(engine)).toEqual([])
  })
})

describe('workers that are killed again and again', () => {
  test('have each SQL task take effect exactly once', { timeout: limit }, async ({
    engine,
    schema,
    spawnWorker,
  }) => {
    await engine.rows('create table effects (n int)')
    const tasks = range(200).map((n) =>
      sqlTask(`insert into ${schema}.effects values (${n}); select pg_sleep(0.02)`),
    )
    await engine.enqueueMany(tasks)
    for (const _ of range(4)) {
      const worker = await spawnWorker({ sql: true, leaseMs: 2_000, concurrency: 4 })
      const before = await engine.value<number>('select count(*)::int from effects')
      // A worker may be through with all of them before the test looks.
      await until(() =>
        engine.value('select count(*) > $1 from effects', Math.min(before + 15, 199)),
      )
      worker.send('SIGKILL')
      await worker.ended
    }
    await spawnWorker({ sql: true, leaseMs: 2_000 })
    await until(() => engine.value('select not exists (select from tasks)'))

    expect(await engine.value('select count(*)::int from effects')).toBe(200)
    expect(await engine.value('select count(distinct n)::int from effects')).toBe(200)
    expect(await faultsIn(engine)).toEqual([])
  })
})
