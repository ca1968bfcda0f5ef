import { describe, expect } from 'vitest'
import { installDialect } from '../../src/dialects/install-dialect.ts'
import { test } from '../support/engine.ts'

/**
 * What plpgsql_check cannot know: the columns of a record that dynamic SQL or the caller fills, and the installer.
 */
const beyondIt = [
  /^clear_day\(.*: record "v_gone" is not assigned yet$/,
  // They run while a dialect is installed, and call what is there only then.
  /^background_open_(procedures|role)\(\)/,
  /^run_job\(record\).*: record "p_job" is not assigned yet$/,
]

const dialects = ['fetchq', 'pg-task', 'pg-background'] as const

describe('every function in plpgsql', () => {
  test('passes plpgsql_check, in the engine and in the dialects', async ({
    db,
    connect,
    schema,
    skip,
  }) => {
    const { rows: found } = await db.query(
      `select from pg_available_extensions where name = 'plpgsql_check'`,
    )
    skip(found.length === 0, 'this server has no plpgsql_check; Debian has it for Postgres 15')
    await db.query('create extension if not exists plpgsql_check schema public')
    const schemas = dialects.map((dialect) => `${schema}_${dialect.replace('-', '_')}`)
    try {
      for (const [at, dialect] of dialects.entries())
        await installDialect(db, { dialect, schema: schemas[at] ?? '', engineSchema: schema })
      for (const checked of [schema, ...schemas]) {
        const client = await connect()
        await client.query(`set search_path = ${checked}, ${schema}`)
        const { rows } = await client.query<{ fault: string }>(faults, [checked])
        const reported = rows.map(({ fault }) => fault)
        expect(reported.filter((fault) => !beyondIt.some((known) => known.test(fault)))).toEqual([])
      }
    } finally {
      for (const one of schemas) await db.query(`drop schema if exists ${one}, ${one}_data cascade`)
    }
  })
})

describe('every function in SQL', () => {
  test('can be made with its body checked', async ({ connect, schema }) => {
    const client = await connect()
    await client.query('begin')
    await client.query('set local check_function_bodies = on')
    const { rows } = await client.query<{ text: string }>(
      `select pg_get_functiondef(pg_proc.oid) as text
       from pg_proc
       join pg_language on pg_language.oid = prolang
       where lanname = 'sql' and pronamespace = $1::regnamespace`,
      [schema],
    )
    expect(rows.length).toBeGreaterThan(20)
    for (const { text } of rows) await client.query(text)
    await client.query('rollback')
  })
})

/** Errors, not warnings: of casts between types there are many, and they are meant. */
const faults = `
  select function.oid::regprocedure || ', line ' || fault.lineno || ': ' || fault.message as fault
  from pg_proc as function
  join pg_language on pg_language.oid = function.prolang and lanname = 'plpgsql'
  cross join lateral public.plpgsql_check_function_tb(
    function.oid,
    relid => coalesce((select tgrelid from pg_trigger where tgfoid = function.oid limit 1), 0),
    fatal_errors => false, other_warnings => false, extra_warnings => false, performance_warnings => false) as fault
  where function.pronamespace = $1::regnamespace and fault.level = 'error'
    -- Triggers of tables that users make are on no table here.
    and (function.prorettype <> 'trigger'::regtype or exists (select from pg_trigger where tgfoid = function.oid))
  order by 1`
