import { describe, expect } from 'vitest'
import { test } from '../../support/sql-tasks.ts'
import { until } from '../../support/until.ts'

const telling = (detail: string) =>
  `do $$ begin raise info 'so far' using errcode = 'TK100', detail = '${detail}'; end $$`

describe('a SQL task that tells how far it has come', () => {
  test('is heard while its transaction is open', async ({
    workSql,
    enqueueSql,
    endOf,
    engine,
    connect,
  }) => {
    await workSql()
    const holder = await connect()
    await holder.query('select pg_advisory_lock(61)')

    const id = await enqueueSql(`${telling('{"percent": 50}')}; select pg_advisory_lock(61)`)

    await until(() =>
      engine.value(`select progress = '{"percent": 50}' from task where id = $1`, id),
    )
    await holder.query('select pg_advisory_unlock(61)')
    expect(await endOf(id)).toMatchObject({ state: 'done', output: { notices: [] } })
  })

  test('is not disturbed by what is not JSON, nor by too many reports', async ({
    workSql,
    runSql,
  }) => {
    await workSql()
    const often = `do $$ begin for i in 1..2000 loop
      raise info 'so far' using errcode = 'TK100', detail = to_jsonb(i)::text; end loop; end $$`

    expect(await runSql(`${telling('{half')}; ${often}; select 1 as n`)).toMatchObject({
      state: 'done',
      output: { notices: [], results: [{}, {}, { rows: [['1']] }] },
    })
  })
})
