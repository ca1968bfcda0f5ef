import { describe, expect } from 'vitest'
import { test } from '../dialects/pg-task/support.ts'
import { until } from '../support/until.ts'

const limit = 300_000

describe('a worker that is killed while it serves a task table', () => {
  test('leaves its task to another, whose repetition comes once', { timeout: limit }, async ({
    table,
    engine,
    spawnWorker,
  }) => {
    const worker = () => spawnWorker({ sql: true, queues: [table.queue], leaseMs: 5_000 })
    const doomed = await worker()
    await table.rows(`create table ${table.schema}.effect (n int)`)
    await table.rows(`create table ${table.schema}.brake as select 300 as seconds`)
    const id = await table.insert({
      ...{ repeat: '1 hour', max: 0 },
      input: `insert into ${table.schema}.effect values (1);
        select pg_sleep(seconds) from ${table.schema}.brake`,
    })
    const behind = await table.insert({ input: `insert into ${table.schema}.effect values (2)` })
    await table.when(id, 'WORK')

    doomed.send('SIGKILL')
    await doomed.ended
    await table.rows(`delete from ${table.schema}.brake`)
    await worker()

    const { stop } = await table.when(id, 'DONE')
    const next = await table.when(behind, 'DONE')
    expect(next.start?.getTime()).toBeGreaterThanOrEqual(stop?.getTime() ?? Number.NaN)
    expect(await table.rows(`select n from ${table.schema}.effect order by n`)).toEqual([
      { n: 1 },
      { n: 2 },
    ])
    expect(await table.rows('select state from task where parent = $1', id)).toEqual([
      { state: 'PLAN' },
    ])
    expect(await engine.rows('select reason from attempt where task = $1', id)).toEqual([
      { reason: 'lost' },
    ])
    await until(() => engine.value('select sum(running) = 0 from groups'))
  })
})
