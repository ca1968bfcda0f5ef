import { beforeEach, describe, expect, inject } from 'vitest'
import { Session } from '../../src/sql/session.ts'
import { test } from '../support/sql-tasks.ts'
import { until } from '../support/until.ts'

beforeEach(async ({ workSql }: { workSql: () => Promise<unknown> }) => void (await workSql()))

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
    ['select 1; vacuum; select x', 26],
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

  test('is tried again as its policy says, unless it cannot be read (BG-07)', async ({
    runSql,
    engine,
  }) => {
    const options = { maxAttempts: 3, backoff: { kind: 'none' } }

    await runSql('select 1/0', options)
    await runSql('selec 1', options)

    expect(
      await engine.rows('select attempt, error->>$1 as code from finished order by id', 'code'),
    ).toEqual([
      { attempt: 3, code: '22012' },
      { attempt: 1, code: '42601' },
    ])
  })

  test('that reads from standard input is told that there is none (§12)', async ({
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
    'select 1; vacuum; select pg_terminate_backend(pg_backend_pid())',
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
