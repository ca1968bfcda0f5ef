import { describe, expect, inject } from 'vitest'
import { test } from '../../support/sql-tasks.ts'
import { until } from '../../support/until.ts'

describe('a SQL task above read committed', () => {
  test('is done although its row was changed while it ran', async ({
    engine,
    schema,
    connect,
    work,
    enqueueSql,
    endOf,
  }) => {
    const database = new URL(inject('pgUrl'))
    database.searchParams.set('options', '-c default_transaction_isolation=repeatable\\ read')
    await work({ database: database.href, sql: true })
    await engine.rows('create table written (level text)')
    const gate = Number(process.hrtime.bigint() % 1_000_000_007n)
    const keeper = await connect()
    await keeper.query('select pg_advisory_lock($1)', [gate])
    const id =
      await enqueueSql(`insert into ${schema}.written values (current_setting('transaction_isolation'));
        select pg_advisory_xact_lock_shared(${gate})`)
    await until(() =>
      engine.value(
        `select exists (select from pg_locks where locktype = 'advisory' and not granted and objid = $1)`,
        gate,
      ),
    )

    await engine.rows(`update tasks set progress = '1'`)
    await keeper.query('select pg_advisory_unlock($1)', [gate])

    expect(await endOf(id)).toMatchObject({
      ...{ state: 'done', error: null, output: { delivery: 'at_least_once' } },
    })
    expect(await engine.rows('select level from written')).toEqual([{ level: 'repeatable read' }])
  })

  test('may be that by its own settings', async ({ workSql, runSql }) => {
    await workSql()

    const { output } = await runSql({
      sql: `select current_setting('transaction_isolation')`,
      settings: { default_transaction_isolation: 'serializable' },
    })

    expect(output).toMatchObject({
      delivery: 'at_least_once',
      results: [{ rows: [['serializable']] }],
    })
  })
})
