import { describe, expect, inject } from 'vitest'
import { test } from '../../support/sql-tasks.ts'

/** What a session may be left with, and how to see it in the next task. */
const leftovers: readonly (readonly [string, string, string, string])[] = [
  ['settings', `set lock_timeout = '5s'`, 'show lock_timeout', '0'],
  [
    'custom settings',
    `select set_config('my.secret', 'x', false)`,
    `select coalesce(nullif(current_setting('my.secret', true), ''), 'none')`,
    'none',
  ],
  [
    'temporary tables',
    'create temp table left_behind (a int)',
    `select to_regclass('pg_temp.left_behind') is null`,
    't',
  ],
  [
    'advisory locks',
    'select pg_advisory_lock(4711)',
    `select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`,
    '0',
  ],
  [
    'prepared statements',
    'prepare left_behind as select 1',
    'select count(*) from pg_prepared_statements',
    '0',
  ],
  [
    'cursors',
    'declare left_behind cursor with hold for select 1',
    'select count(*) from pg_cursors',
    '0',
  ],
  [
    'channels it listens to',
    'listen left_behind',
    'select count(*) from pg_listening_channels()',
    '0',
  ],
  ['values of sequences', `create temp sequence s; select nextval('s')`, `select 'clean'`, 'clean'],
  ['another role', 'set role pg_monitor', 'select current_user = session_user', 't'],
  [
    'another session user',
    'set session authorization pg_monitor',
    'select current_user',
    'postgres',
  ],
  [
    'another encoding',
    `set client_encoding to 'LATIN1'; select 'é'`,
    'show client_encoding',
    'UTF8',
  ],
  [
    'a time zone',
    `set time zone 'Asia/Tokyo'`,
    `select current_setting('TimeZone') <> 'Asia/Tokyo'`,
    't',
  ],
  [
    'settings of a failed task',
    `begin; set lock_timeout = '5s'; commit; select 1/0`,
    'show lock_timeout',
    '0',
  ],
  [
    'locks of a failed task',
    'select pg_advisory_lock(4711); select 1/0',
    `select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`,
    '0',
  ],
  [
    'settings outside a transaction',
    `begin; commit; set lock_timeout = '5s'`,
    'show lock_timeout',
    '0',
  ],
  ['an open transaction', 'begin; select 1', 'select 1', '1'],
]

describe('a session that is used again', () => {
  test('has nothing left of the task before', async ({ work, runSql }) => {
    await work({ sql: true, concurrency: 1 })

    const seen = []
    for (const [what, leaves, looks] of leftovers) {
      const first = await runSql(leaves)
      const second = await runSql(looks)
      const isSame = (first.output ?? first.error).pid === second.output.pid
      seen.push([what, isSame, second.output.results[0]?.rows[0]?.[0]])
    }

    expect(seen).toEqual(leftovers.map(([what, , , clean]) => [what, true, clean]))
  })

  test('keeps it all for the next of its scope and role, if it was asked to', async ({
    work,
    runSql,
  }) => {
    await work({ sql: true, concurrency: 1 })
    const looks = `select current_setting('my.memory', true)`
    const session = { save: true, scope: 'mine' }

    await runSql({ sql: `set my.memory = 'kept'; create temp table t (a int)`, session })
    const same = await runSql({ sql: `${looks}; select count(*) from t`, session })
    const other = await runSql({ sql: looks, session: { scope: 'other' } })
    const asOther = await runSql({ sql: looks, session, role: 'pg_monitor' })

    expect(same.output.results.map(({ rows }) => rows)).toEqual([[['kept']], [['0']]])
    expect(other.output.results[0]?.rows).toEqual([[null]])
    expect(asOther.output.results[0]?.rows).toEqual([[null]])
  })

  test.for([
    ['here', 'begin; set my.memory = 1; commit', false],
    ['elsewhere', 'set my.memory = 1', true],
  ] as const)(
    'that is kept, %s, forgets what was set for the task',
    async ([, sql, isElsewhere], { work, runSql }) => {
      await work({ sql: { allowConnectionStrings: true }, concurrency: 1 })
      const common = {
        session: { save: true, scope: 'mine' },
        ...(isElsewhere ? { connection: { dsn: inject('pgUrl') } } : {}),
      }

      const settings = { lock_timeout: '7s', 'my.own': 'x' }
      const first = await runSql({ ...common, sql, settings }, { timeout: '1 hour' })
      const looks = ['statement_timeout', 'lock_timeout', 'my.own', 'my.memory']
      const second = await runSql({
        ...common,
        sql: `select ${looks.map((name) => `current_setting('${name}')`).join(', ')}`,
      })

      expect(second.output.pid).toBe(first.output.pid)
      expect(second.output.results[0]?.rows).toEqual([['0', '0', '', '1']])
    },
  )

  test('is left after as many tasks as they say', async ({ work, runSql }) => {
    await work({ sql: true, concurrency: 1 })
    const pids = []
    for (let n = 0; n < 5; n++) {
      const { output } = await runSql({ sql: 'select 1', session: { count: 2 } })
      pids.push(output.pid)
    }

    const [a, b, c, d, e] = pids
    expect([a === b, b === c, c === d, d === e]).toEqual([true, false, true, false])
  })

  test('is left when it is older than they say', async ({ work, runSql }) => {
    await work({ sql: true, concurrency: 1 })
    const session = { live: '100 milliseconds' }

    const first = await runSql({ sql: 'select pg_sleep(0.15)', session })
    const second = await runSql({ sql: 'select 1', session })

    expect(first.output.pid).not.toBe(second.output.pid)
  })

  test('is left when the settings of its login or database were changed', async ({
    engine,
    work,
    runSql,
    weakLogin,
  }) => {
    await work({ sql: { database: weakLogin.url }, concurrency: 1 })
    const looks = { sql: `select current_setting('my.changed', true)`, role: weakLogin.role }
    const before = await runSql(looks)

    await engine.rows(`alter role ${weakLogin.role} set my.changed = 'yes'`)
    await runSql({ ...looks, sql: 'select pg_sleep(1.1)' })
    const after = await runSql(looks)

    expect(before.output.results[0]?.rows).toEqual([[null]])
    expect(after.output.results[0]?.rows).toEqual([['yes']])
  })
})
