import { describe, expect } from 'vitest'
import { test } from '../../support/sql-tasks.ts'
import { until } from '../../support/until.ts'

const isActive = `select exists (select from pg_stat_activity where application_name = 'tusk sql' and state = 'active'
  and query like $1)`

describe('a SQL task with a timeout', () => {
  test('is stopped after that time, counted from its start', async ({ workSql, runSql }) => {
    await workSql()
    await runSql('select 1')

    const { state, reason, error } = await runSql('select 1; select pg_sleep(60)', {
      timeout: '4.25 seconds',
    })

    expect({ state, reason }).toEqual({ state: 'failed', reason: 'timeout' })
    expect(error).toMatchObject({
      code: '57014',
      message: 'canceling statement due to statement timeout',
      results: [{ tag: 'SELECT 1' }],
    })
  })

  test('is stopped as a whole, however short each of its statements is', async ({
    workSql,
    runSql,
  }) => {
    await workSql()
    await runSql('select 1')

    const { reason, error } = await runSql(
      Array.from({ length: 200 }, () => 'select pg_sleep(0.25)').join(';'),
      { timeout: '4.5 seconds' },
    )

    expect(reason).toBe('timeout')
    expect(error.statement).toBeGreaterThan(0)
    expect(error.statement).toBeLessThan(100)
  })

  test('is stopped even if it has changed the timeout of its session', async ({
    workSql,
    runSql,
  }) => {
    await workSql()

    const end = await runSql('set statement_timeout = 0; select pg_sleep(60)', {
      timeout: '300 milliseconds',
    })

    expect(end).toMatchObject({ reason: 'timeout', error: { code: '57014' } })
  })

  test('that stays below it is left alone', async ({ workSql, runSql }) => {
    await workSql()

    expect((await runSql('select pg_sleep(0.05)', { timeout: '1 minute' })).state).toBe('done')
  })

  test('may have more time than the server can count', async ({ workSql, runSql }) => {
    await workSql()

    expect((await runSql('select 1', { timeout: '30 days' })).state).toBe('done')
    expect((await runSql('vacuum pg_namespace', { timeout: '100 years' })).state).toBe('done')
  })
})

describe('a SQL task that is cancelled', () => {
  test('stops, and its session is gone from what runs', async ({
    engine,
    workSql,
    enqueueSql,
    endOf,
    runSql,
  }) => {
    await workSql()
    const id = await enqueueSql('select pg_sleep(61)')
    await until(() => engine.value(isActive, '%pg_sleep(61)%'))

    await engine.cancel(id)

    await until(async () => !(await engine.value(isActive, '%pg_sleep(61)%')))
    expect((await endOf(id)).state).toBe('cancelled')
    expect((await runSql('select 1')).state).toBe('done')
  })

  test('is ended with its session if it will not stop', async ({ engine, workSql, enqueueSql }) => {
    await workSql({ graceMs: 100 })
    const deaf = `do $$begin for i in 1..600 loop begin perform pg_sleep(1.5);
      exception when query_canceled then null; end; end loop; end$$`
    const id = await enqueueSql(deaf)
    await until(() => engine.value(isActive, '%query_canceled%'))

    await engine.cancel(id)

    await until(async () => !(await engine.value(isActive, '%query_canceled%')))
  })

  test('leaves nothing of what it did in its transaction', async ({
    engine,
    schema,
    workSql,
    enqueueSql,
  }) => {
    await engine.rows('create table trace (a int)')
    await workSql()
    const id = await enqueueSql(`insert into ${schema}.trace values (1); select pg_sleep(62)`)
    await until(() => engine.value(isActive, '%pg_sleep(62)%'))

    await engine.cancel(id)

    await until(async () => !(await engine.value(isActive, '%pg_sleep(62)%')))
    expect(await engine.value('select count(*)::int from trace')).toBe(0)
  })
})

describe('a worker that stops', () => {
  test('gives back the SQL it could not finish, uncharged', async ({
    engine,
    work,
    enqueueSql,
  }) => {
    const worker = await work({ sql: true })
    const id = await enqueueSql('select pg_sleep(63)')
    await until(() => engine.value(isActive, '%pg_sleep(63)%'))

    await worker.stop({ deadlineMs: 0 })

    expect(await engine.task(id)).toMatchObject({ state: 'ready', attempt: 0 })
    expect(await engine.value(isActive, '%pg_sleep(63)%')).toBe(false)
  })
})

describe('running_sql', () => {
  test('shows the backend of a task, what it waits for and who blocks it', async ({
    engine,
    schema,
    connect,
    workSql,
    enqueueSql,
    endOf,
  }) => {
    await engine.rows('create table wanted (a int)')
    const holder = await connect()
    await holder.query('begin; lock table wanted')
    const holderPid = (await holder.query<{ pid: number }>('select pg_backend_pid() as pid'))
      .rows[0]?.pid
    await workSql()

    const id = await enqueueSql(`select * from ${schema}.wanted`)

    await until(() =>
      engine.value(`select exists (select from running_sql where blocked_by <> '{}')`),
    )
    const [running] = await engine.rows(
      'select task, pid, state, wait_event_type, blocked_by, query, connection from running_sql',
    )
    expect(running).toMatchObject({
      task: id,
      state: 'active',
      wait_event_type: 'Lock',
      blocked_by: [holderPid],
      query: expect.stringContaining('.wanted'),
      connection: null,
    })
    await holder.query('rollback')
    expect((await endOf(id)).output.pid).toBe(running?.['pid'])
    await until(async () => !(await engine.value('select exists (select from sql_runs)')))
  })
})
