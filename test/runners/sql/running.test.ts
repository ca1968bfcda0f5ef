import { beforeEach, describe, expect } from 'vitest'
import type { SqlOptions } from '../../../src/worker/sql-options.ts'
import { test } from '../../support/sql-tasks.ts'
import { until } from '../../support/until.ts'

interface Working {
  readonly workSql: (options: SqlOptions) => Promise<unknown>
}

beforeEach(async ({ workSql }: Working) => void (await workSql({ allowConnectionStrings: true })))

describe('the output of a SQL task', () => {
  test('is cut as its task says, else as its queue does, and says so', async ({
    engine,
    runSql,
  }) => {
    const rows = 'select n from generate_series(1, 3000) as n'
    const { output: usual } = await runSql(rows)
    await engine.setQueue('sql', { sql_max_rows: 2, sql_max_bytes: 10_000 })
    const { output: queued } = await runSql(rows)
    const { output: own } = await runSql({ sql: rows, max_rows: 2_000, max_bytes: 90_000 })
    const { output: whole } = await runSql({ sql: rows, whole: true })

    expect(usual).toMatchObject({ cut: true, results: [{ row_count: 3_000, dropped: 2_000 }] })
    expect(queued).toMatchObject({ cut: true, results: [{ rows: [['1'], ['2']], dropped: 2_998 }] })
    expect(own).toMatchObject({ cut: true, results: [{ dropped: 1_000 }] })
    expect(whole).toMatchObject({ results: [{ row_count: 3_000, dropped: 0 }] })
    expect(whole).not.toHaveProperty('cut')
  })
})

describe('a SQL task', () => {
  test('gives the rows of each statement as text, with columns, types and tags', async ({
    runSql,
  }) => {
    const { state, output } = await runSql(
      `select 1 as n, null as nothing, 'x'::varchar(5) as short; create temp table t (a int)`,
    )

    expect(state).toBe('done')
    expect(output).toMatchObject({
      delivery: 'exactly_once',
      notices: [],
      results: [
        {
          tag: 'SELECT 1',
          columns: [
            { name: 'n', type: 'integer', type_oid: 23, typmod: -1 },
            { name: 'nothing', type: 'text', type_oid: 25, typmod: -1 },
            { name: 'short', type: 'character varying(5)', type_oid: 1043, typmod: 9 },
          ],
          rows: [['1', null, 'x']],
          row_count: 1,
          dropped: 0,
        },
        { tag: 'CREATE TABLE', columns: null, rows: [], row_count: 0, dropped: 0 },
      ],
    })
  })

  test('tells notices in the order in which they came', async ({ runSql }) => {
    const { output } = await runSql(
      `do $$begin raise notice 'one' using hint = 'h', detail = 'd'; raise warning 'two'; end$$;
       select 1; do $$begin raise info 'three'; end$$`,
    )

    expect(output.notices).toMatchObject([
      { severity: 'NOTICE', message: 'one', hint: 'h', detail: 'd', after: 0 },
      { severity: 'WARNING', message: 'two', after: 0 },
      { severity: 'INFO', message: 'three', after: 2 },
    ])
  })

  test('commits its statements together with its completion', async ({
    engine,
    schema,
    runSql,
  }) => {
    await engine.rows('create table effect (id int, xid xid8 default pg_current_xact_id())')

    const { output } = await runSql(`insert into ${schema}.effect (id) values (1)`)

    expect(output.delivery).toBe('exactly_once')
    expect(
      await engine.value('select effect.xid::text = finished.xmin::text from effect, finished'),
    ).toBe(true)
  })

  test('leaves to its commit what the engine puts off to that', async ({
    engine,
    schema,
    runSql,
  }) => {
    // As pg-task does: a repetition comes after everything else that ends a task.
    await engine.rows(`create table claims_at_end (n int)`)
    await engine.rows(`create function ${schema}.at_end() returns trigger language plpgsql as
      'begin insert into ${schema}.claims_at_end select count(*) from ${schema}.claims; return null; end'`)
    await engine.rows(`create constraint trigger at_end after insert on finished
      deferrable initially deferred for each row execute function at_end()`)

    const { output } = await runSql('create temp table written (a int)')

    expect(output.delivery).toBe('exactly_once')
    expect(await engine.rows('select n from claims_at_end')).toEqual([{ n: 0 }])
    await engine.rows('drop trigger at_end on finished')
  })

  test('is undone if its lease was lost meanwhile, and takes effect once', async ({
    engine,
    connect,
    schema,
    enqueueSql,
    allDone,
  }) => {
    await engine.rows('create table once (n int)')
    const gate = Number(process.hrtime.bigint() % 1_000_000_007n)
    const keeper = await connect()
    await keeper.query('select pg_advisory_lock($1)', [gate])
    const sql = `insert into ${schema}.once values (1); select pg_advisory_xact_lock_shared(${gate})`
    const id = await enqueueSql(sql, { maxAttempts: 3 })
    await until(() =>
      engine.value(
        `select exists (select from pg_locks where locktype = 'advisory' and not granted and objid = $1)`,
        gate,
      ),
    )

    await engine.rows(`update claims set expires_at = '-infinity'`)
    await engine.rows('select rescue()')
    await keeper.query('select pg_advisory_unlock($1)', [gate])
    await allDone()

    expect(await engine.value('select count(*)::int from once')).toBe(1)
    expect(await engine.task(id)).toMatchObject({ state: 'done', attempt: 2 })
  })

  test('runs in one transaction even what waits for its end', async ({ runSql }) => {
    const { output } = await runSql(
      'declare c cursor for select generate_series(1, 3); fetch 2 from c; set local lock_timeout = 7; show lock_timeout',
    )

    expect(output.results.map(({ rows }) => rows)).toEqual([[], [['1'], ['2']], [], [['7ms']]])
  })

  const outside: readonly (readonly [string, string, readonly string[]])[] = [
    ['VACUUM', 'vacuum pg_namespace', ['VACUUM']],
    ['VACUUM among others, which the server refuses', 'select 1; vacuum', ['SELECT 1']],
    ['transaction commands', 'begin; select 1; commit', ['BEGIN', 'SELECT 1', 'COMMIT']],
    ['a transaction left open', 'begin; select 1', ['BEGIN', 'SELECT 1', 'COMMIT']],
    ['a block that commits inside', 'do $$begin commit; end$$', ['DO']],
    ['what cannot be read', 'select 1 /* é */; \\x', []],
  ]

  test.for(outside)('runs %s at least once, and says so', async ([, sql, tags], { runSql }) => {
    const { output, error } = await runSql(sql)

    expect((output ?? error).delivery).toBe('at_least_once')
    expect((output ?? error).results.map(({ tag }) => tag)).toEqual(tags)
  })

  test('calls a procedure that commits, and one that does not in one transaction', async ({
    engine,
    schema,
    runSql,
  }) => {
    await engine.rows('create table walked (n int)')
    await engine.rows(`create procedure commits() language plpgsql as
      $$begin insert into ${schema}.walked values (1); commit; insert into ${schema}.walked values (2); end$$`)
    await engine.rows(`create procedure does_not() language plpgsql as
      $$begin insert into ${schema}.walked values (3); end$$`)

    const split = await runSql(`call ${schema}.commits()`)
    const whole = await runSql(`call ${schema}.does_not()`)

    expect(split.output.delivery).toBe('at_least_once')
    expect(whole.output.delivery).toBe('exactly_once')
    expect(await engine.value('select array_agg(n) from walked')).toEqual([1, 2, 3])
  })

  test('creates a database, and in it an index concurrently', async ({ schema, runSql }) => {
    const name = `${schema}_db`

    const made = await runSql(`create database ${name}`)
    const connection = { dsn: `dbname=${name}` }
    const filled = await runSql({ sql: 'create table busy (a int)', connection })
    const indexed = await runSql({ sql: 'create index concurrently on busy (a)', connection })
    const dropped = await runSql(`drop database ${name} with (force)`)

    const tags = [made, filled, indexed, dropped].flatMap(({ output }) =>
      output.results.map(({ tag }) => tag),
    )
    expect(tags).toEqual(['CREATE DATABASE', 'CREATE TABLE', 'CREATE INDEX', 'DROP DATABASE'])
  })

  test('runs with the settings and the search path it asks for', async ({
    engine,
    schema,
    runSql,
  }) => {
    await engine.rows('create table here (a int)')

    const { output } = await runSql({
      sql: `select count(*) from here; select current_setting('my.id'), current_setting('lock_timeout')`,
      search_path: schema,
      settings: { 'my.id': '7', lock_timeout: 5000 },
    })

    expect(output.results.map(({ rows }) => rows)).toEqual([[['0']], [['7', '5s']]])
  })

  test('that has nothing to run is done, where that is allowed', async ({ runSql }) => {
    for (const sql of ['', ' -- nothing\n;']) {
      const end = await runSql({ sql, allow_empty: true })
      expect(end).toMatchObject({ state: 'done', output: { results: [] } })
    }
  })

  test('is left alone by workers that run no SQL', async ({ engine, work, enqueueSql }) => {
    await engine.enqueue({ queue: 'mixed', handler: 'mixed' })
    await enqueueSql('select 1', { queue: 'mixed' })

    const worker = await work({ tasks: { mixed: () => 'done' } })
    await until(() => engine.value('select exists (select from finished)'))
    await worker.stop()

    expect(await engine.rows('select kind, state from task order by kind')).toEqual([
      { kind: 'handler', state: 'done' },
      { kind: 'sql', state: 'ready' },
    ])
  })
})

describe('what a SQL task keeps', () => {
  test('is bounded in rows, and says how many were dropped', async ({ runSql }) => {
    const { output } = await runSql({ sql: 'select generate_series(1, 2500)', max_rows: 10 })

    expect(output.results[0]).toMatchObject({ tag: 'SELECT 2500', row_count: 2500, dropped: 2490 })
    expect(output.results[0]?.rows).toHaveLength(10)
  })

  test('is bounded in bytes, over all of its results', async ({ engine, runSql }) => {
    const { output } = await runSql(
      `select repeat('x', 100000) from generate_series(1, 20); select repeat('é', 1000) from generate_series(1, 900);
       copy (select repeat('c', 100000) from generate_series(1, 20)) to stdout`,
    )

    const kept = output.results.map(({ rows, dropped }) => [rows.length, dropped])
    expect(kept[0]).toEqual([8, 12])
    expect(output.results[1]?.dropped).toBeGreaterThan(0)
    expect(output.results[2]?.copy_dropped).toBeGreaterThan(1_000_000)
    expect(await engine.value('select octet_length(output::text) < 1048576 from finished')).toBe(
      true,
    )
  })

  test('has no end of notices, only of what is kept of them', async ({ runSql }) => {
    const { state, output } = await runSql(
      `do $$begin for i in 1..1200 loop raise notice '%', repeat('x', 2000); end loop; end$$`,
    )

    expect(state).toBe('done')
    expect(output.notices.length + (output.notices_dropped ?? 0)).toBe(1200)
    expect(output.notices_dropped).toBeGreaterThan(0)
  })

  test('may be a million rows that are not kept, without holding them', async ({ runSql }) => {
    const { output } = await runSql('select generate_series(1, 1000000)')

    expect(output.results[0]).toMatchObject({ row_count: 1_000_000, dropped: 999_000 })
  })
})
