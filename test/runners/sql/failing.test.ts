import { beforeEach, describe, expect, inject } from 'vitest'
import { Session } from '../../../src/runners/sql/session/session.ts'
import { test } from '../../support/sql-tasks.ts'
import { until } from '../../support/until.ts'

beforeEach(async ({ workSql }: { workSql: () => Promise<unknown> }) => void (await workSql()))

const raise = (code: string) => `do $$ begin raise exception using errcode = '${code}'; end $$`

describe('a SQL task that fails', () => {
  test('keeps every field of the error, and what there was before it', async ({
    engine,
    schema,
    runSql,
  }) => {
    await engine.rows('create table one (a int, constraint positive check (a > 0))')

    const { state, reason, error } = await runSql(
      `select 'kept'; do $$begin raise notice 'heard'; end$$; insert into ${schema}.one values (-1); select 'never'`,
    )

    expect({ state, reason }).toEqual({ state: 'failed', reason: 'error' })
    expect(error).toMatchObject({
      name: 'SqlError',
      code: '23514',
      severity: 'ERROR',
      message: expect.stringContaining('violates check constraint "positive"'),
      detail: 'Failing row contains (-1).',
      schema,
      table: 'one',
      constraint: 'positive',
      statement: 2,
      results: [{ tag: 'SELECT 1', rows: [['kept']] }, { tag: 'DO' }],
      notices: [{ message: 'heard' }],
      delivery: 'exactly_once',
    })
  })

  const places: readonly (readonly [string, number])[] = [
    ['select 1; select x', 18],
    ["select 'é🐘'; select x", 21],
    ['begin; select x', 15],
    ['selec', 1],
  ]

  test.for(places)('tells where in the text: %j', async ([sql, position], { runSql }) => {
    expect((await runSql(sql)).error.position).toBe(position)
  })

  test('tells where in a function', async ({ runSql }) => {
    const { error } = await runSql(`do $$begin execute 'select nope'; end$$`)

    expect(error).toMatchObject({
      code: '42703',
      internal_query: 'select nope',
      internal_position: 8,
      where: expect.stringContaining('PL/pgSQL function inline_code_block'),
    })
  })

  test('leaves nothing behind of its transaction', async ({ engine, schema, runSql }) => {
    await engine.rows('create table half (a int)')

    await runSql(`insert into ${schema}.half values (1); select 1/0`)

    expect(await engine.value('select count(*)::int from half')).toBe(0)
  })

  test('fails by what its commit finds, too', async ({ engine, schema, runSql }) => {
    await engine.rows('create table pair (a int unique deferrable initially deferred)')

    const { state, error } = await runSql(`insert into ${schema}.pair values (1), (1)`)

    expect({ state, code: error.code }).toEqual({ state: 'failed', code: '23505' })
    expect(await engine.value('select count(*)::int from pair')).toBe(0)
  })

  test('fails by what its commit finds, even if that has the words of a lost lease', async ({
    engine,
    schema,
    runSql,
  }) => {
    await engine.rows('create table late (a int)')
    await engine.rows(`create function ${schema}.too_late() returns trigger language plpgsql as
      'begin raise exception using errcode = ''TK001'', message = ''too late''; end'`)
    await engine.rows(`create constraint trigger too_late after insert on late
      deferrable initially deferred for each row execute function too_late()`)

    const { state, error } = await runSql(`insert into ${schema}.late values (1)`)

    expect({ state, message: error.message }).toEqual({ state: 'failed', message: 'too late' })
  })

  test.for(['25001', '2D000'])(
    'leaves nothing behind if a function raises what refuses transactions: %s',
    async (code, { engine, schema, runSql }) => {
      await engine.rows('create table if not exists before_it (a int)')
      const raise = `do $$ begin raise exception using errcode = '${code}'; end $$`

      const { error } = await runSql(`insert into ${schema}.before_it values (1); ${raise}`)

      expect(error).toMatchObject({ code, delivery: 'exactly_once' })
      expect(await engine.value('select count(*)::int from before_it')).toBe(0)
    },
  )

  const attempts = `select attempt, error->>'code' as code from finished order by id`

  test('fails at once with errors that no attempt could fix', async ({ runSql, engine }) => {
    const texts: Readonly<Record<string, string>> = {
      '21000': 'select (select generate_series(1, 2))',
      '22012': 'select 1/0',
      '42601': 'selec 1',
      '42P01': 'select * from no_such_table',
      '3F000': 'create table no_such_schema.one (a int)',
    }
    const codes = [
      ...Object.keys(texts),
      ...['0A000', '2BP01', '2F005', '3B001', '42501', '44000', '54000'],
    ]
    for (const code of codes) {
      await runSql(texts[code] ?? raise(code), { maxAttempts: 3, backoff: { kind: 'none' } })
    }

    expect(await engine.rows(attempts)).toEqual(codes.map((code) => ({ attempt: 1, code })))
  })

  test('is tried again after errors that another attempt may not meet', async ({
    runSql,
    engine,
  }) => {
    const classes = '08006 23503 23505 25006 26000 28000 34000 3D000 40001 40P01 53200 55P03 57014'
    const codes = `${classes} 58030 P0001 XX000 TK999`.split(' ')
    for (const code of codes) {
      await runSql(raise(code), { maxAttempts: 2, backoff: { kind: 'none' } })
    }

    expect(await engine.rows(attempts)).toEqual(codes.map((code) => ({ attempt: 2, code })))
  })

  test('is tried again whatever failed where its backoff or its queue says so', async ({
    runSql,
    engine,
  }) => {
    await runSql('select 1/0', {
      maxAttempts: 2,
      backoff: { kind: 'none', on_permanent: 'retry' },
    })
    await engine.rows(
      `select set_queue('sql', '{"max_attempts": 3, "backoff": {"kind": "none", "on_permanent": "retry"}}')`,
    )
    await runSql('select 1/0', { maxAttempts: undefined })
    await runSql('select 1/0', { maxAttempts: 2, backoff: { kind: 'none' } })

    expect(await engine.rows(attempts)).toEqual([
      { attempt: 2, code: '22012' },
      { attempt: 3, code: '22012' },
      { attempt: 1, code: '22012' },
    ])
  })

  test('fails at once by any report, and handlers are not judged by their codes', async ({
    engine,
  }) => {
    const error = { name: 'SqlError', code: '42601', message: 'syntax error' }
    await engine.enqueue({ queue: 'other', kind: 'sql', payload: { sql: 'selec' } })
    await engine.fail(await engine.claimOne('other'), error)
    await engine.enqueue({ queue: 'another' })
    await engine.fail(await engine.claimOne('another'), error)

    expect(await engine.rows('select queue, state from task order by id')).toEqual([
      { queue: 'other', state: 'failed' },
      { queue: 'another', state: 'retrying' },
    ])
  })

  test('that reads from standard input learns that there is none', async ({
    engine,
    schema,
    runSql,
  }) => {
    await engine.rows('create table input (a int)')

    const { error } = await runSql(`copy ${schema}.input from stdin`)

    expect(error).toMatchObject({
      message: 'COPY from stdin failed: COPY FROM STDIN is not supported',
      where: 'COPY input, line 1',
    })
    expect((await runSql('select 1')).state).toBe('done')
  })

  test('whose session is ended by an administrator fails, and the next one runs', async ({
    engine,
    enqueueSql,
    endOf,
    runSql,
  }) => {
    const id = await enqueueSql('select pg_sleep(60)')
    await until(() =>
      engine.value('select exists (select from running_sql where state = $1)', 'active'),
    )

    await engine.rows('select pg_terminate_backend(pid) from running_sql')

    expect((await endOf(id)).error).toMatchObject({ code: '57P01', statement: 0 })
    expect((await runSql('select 1')).state).toBe('done')
  })

  test.for([
    'select pg_terminate_backend(pg_backend_pid())',
    'begin; select 1; commit; select pg_terminate_backend(pg_backend_pid())',
  ])(
    'tells how it ended its own session, and is tried again: %s',
    async (sql, { engine, runSql }) => {
      const { state, reason, error } = await runSql(sql, {
        maxAttempts: 2,
        backoff: { kind: 'none' },
      })

      expect({ state, reason }).toEqual({ state: 'failed', reason: 'error' })
      expect(error).toMatchObject({ name: 'SqlError', code: '57P01', severity: 'FATAL' })
      expect(await engine.value('select count(*)::integer from attempt')).toBe(2)
    },
  )

  test('tells what ended its session between two statements', async ({ db }) => {
    const session = await Session.open({ connectionString: inject('pgUrl') })

    await db.query('select pg_terminate_backend($1)', [session.pid])
    await until(async () => session.isSpent)

    const { error } = await session.say(['select 1'])
    expect(error).toMatchObject({
      code: '57P01',
      message: expect.stringContaining('administrator'),
    })
    session.close()
  })
})
