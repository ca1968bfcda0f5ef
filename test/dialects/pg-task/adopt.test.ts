import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { describe, expect } from 'vitest'
import { adoptTaskTable } from '../../../src/dialects/pg-task/adopt-table.ts'
import { releaseTaskTable } from '../../../src/dialects/pg-task/release-table.ts'
import { test as base, type TaskTable } from './support.ts'

const original = readFileSync(
  fileURLToPath(new URL('../../fixtures/pg-task-2.1.sql', import.meta.url)),
  'utf8',
)

interface Adopting {
  /** A schema with the table of pg_task 2.1 and rows in every state. */
  old: {
    readonly schema: string
    readonly options: Parameters<typeof adoptTaskTable>[1]
    readonly place: Parameters<typeof releaseTaskTable>[1]
  }
}

const test = base.extend<Adopting>({
  old: async ({ table, schema, connect }, use) => {
    const name = `${table.schema}_old`
    const client = await connect()
    await client.query(`create schema ${name}; set search_path = ${name}; ${original}`)

    const place = { schema: name, dialectSchema: table.dialectSchema }
    await use({ schema: name, options: { ...place, engineSchema: schema }, place })

    await client.query(`set client_min_messages = warning; drop schema ${name} cascade`)
    await client.query(`select ${table.dialectSchema}.refresh_task_tables()`)
  },
})

/** All that is there: rows, columns with their defaults, triggers, functions. */
async function snapshot(db: pg.Pool, schema: string): Promise<unknown> {
  const { rows } = await db.query(
    `select (select jsonb_agg(to_jsonb(t) order by id) from ${schema}.task as t) as rows,
       (select jsonb_agg(jsonb_build_array(attname, atttypid::regtype, pg_get_expr(adbin, adrelid)) order by attnum)
        from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
        where attrelid = '${schema}.task'::regclass and attnum > 0) as columns,
       (select jsonb_agg(jsonb_build_array(tgname, tgenabled) order by tgname) from pg_trigger
        where tgrelid = '${schema}.task'::regclass) as triggers,
       (select jsonb_agg(proname order by proname) from pg_proc
        where pronamespace = '${schema}'::regnamespace) as functions`,
  )
  return rows[0]
}

const queueOf = (schema: string) => `pg_task:${schema}.task`
const statesOf = async ({ db }: TaskTable, schema: string) =>
  (await db.query(`select id::int, state::text from ${schema}.task order by id`)).rows.map(
    ({ id, state }) => [id, state],
  )

describe('adopting a table of pg_task', () => {
  test('says first what would happen, and changes nothing', async ({ table, old }) => {
    const before = await snapshot(table.db, old.schema)

    const steps = await adoptTaskTable(table.db, { ...old.options, dryRun: true })

    expect(steps).toEqual(
      expect.arrayContaining([
        'plan 4 rows that say PLAN',
        'plan 1 rows that say WORK',
        'keep 1 rows that say DONE',
        'switch off the trigger task_wake_up and keep it as task_wake_up_pg_task',
        'replace the default of max',
      ]),
    )
    expect(await snapshot(table.db, old.schema)).toEqual(before)
  })

  test('keeps its rows and ids, and runs what was planned', async ({ table, old, engine }) => {
    await adoptTaskTable(table.db, old.options)

    expect(await statesOf(table, old.schema)).toEqual([
      ...[10, 11, 12, 13, 14].map((id) => [id, 'PLAN']),
      ...[
        [15, 'DONE'],
        [16, 'FAIL'],
        [17, 'GONE'],
        [18, 'STOP'],
        [19, 'PLAN'],
      ],
    ])
    const waiting = await engine.rows<{ key: string }>(
      `select key from tasks where queue = $1 order by key::int`,
      queueOf(old.schema),
    )
    expect(waiting.map(({ key }) => Number(key))).toEqual([10, 11, 12, 13, 14, 19])
    const task = await engine.claimOne(queueOf(old.schema))
    expect(task).toMatchObject({ key: '10', payload: { sql: 'select 10' } })
    await engine.complete(task, { results: [] })
    const { rows } = await table.db.query(
      `insert into ${old.schema}.task (input) values ('new') returning id, max, active::text`,
    )
    expect(rows).toEqual([{ id: '101', max: 0, active: '01:00:00' }])
    expect(await engine.rows(`select remote from ${old.schema}.task where id = 19`)).toEqual([
      { remote: 'host=db.example user=me password=***' },
    ])
  })

  test('can be undone: everything is as it was, but for what happened since', async ({
    table,
    old,
    engine,
  }) => {
    const before = (await snapshot(table.db, old.schema)) as { rows: { id: number }[] }
    await adoptTaskTable(table.db, old.options)
    await engine.claimOne(queueOf(old.schema))

    await releaseTaskTable(table.db, old.place)

    const after = (await snapshot(table.db, old.schema)) as typeof before
    const reset = before.rows.map((row) =>
      row.id === 13 || row.id === 14
        ? { ...row, state: 'PLAN', start: null, stop: null, pid: null }
        : row,
    )
    expect(after).toEqual({ ...before, rows: reset })
    expect(
      await engine.value('select count(*) from tasks where queue = $1', queueOf(old.schema)),
    ).toBe('0')
  })

  test('keeps the old objects until it is asked to drop them', async ({ table, old, engine }) => {
    await adoptTaskTable(table.db, old.options)
    const kept = `select count(*)::int from pg_proc
      where pronamespace = '${old.schema}'::regnamespace and proname = 'task_wake_up_pg_task'`
    expect(await engine.value(kept)).toBe(1)

    await engine.rows(`select ${table.dialectSchema}.drop_adopted($1, 'task')`, old.schema)

    expect(await engine.value(kept)).toBe(0)
    await expect(
      engine.rows(`select ${table.dialectSchema}.drop_adopted($1, 'task')`, old.schema),
    ).rejects.toMatchObject({ code: 'invalid_argument' })
  })

  test('takes the states of 2023, and adds what was not there', async ({ table, old, engine }) => {
    await table.db.query(`set search_path = ${old.schema};
      delete from task where state in ('GONE', 'FAIL'); drop index task_state_idx;
      create type older as enum ('PLAN', 'TAKE', 'WORK', 'DONE', 'STOP');
      alter table task alter state drop default, alter state type older using state::text::older,
        alter state set default 'PLAN', drop column save,
        add column hash int generated always as (hashtext("group" || coalesce(remote, ''))) stored;
      reset search_path`)

    expect(await adoptTaskTable(table.db, old.options)).toEqual(
      expect.arrayContaining(['add the column save', expect.stringMatching(/add the state FAIL/)]),
    )

    await engine.fail(await engine.claimOne(queueOf(old.schema)), { message: 'no' })
    expect(await engine.rows(`select state from ${old.schema}.task where id = 10`)).toEqual([
      { state: 'FAIL' },
    ])
  })

  test.for([
    ['alter table task drop column input', 'has no column input'],
    ['alter table task alter column max type text', 'max of .* is text and not integer'],
    ['alter table task drop constraint task_pkey', 'id of .* is not unique'],
    ['drop table task', 'there is no table'],
    ['drop table task; create view task as select 1 as id', 'is not a task table'],
  ] as const)('refuses a damaged one, after %s', async ([damage, message], { table, old }) => {
    await table.db.query(
      `set search_path = ${old.schema}; drop index task_input_idx; ${damage}; reset search_path`,
    )

    await expect(adoptTaskTable(table.db, old.options)).rejects.toMatchObject({
      ...{ code: 'invalid_argument', hint: expect.any(String) },
      message: expect.stringMatching(message),
    })
  })

  test('refuses one that is in use, to adopt and to undo, naming the table', async ({
    table,
    old,
    connect,
  }) => {
    const user = await connect()
    const use = `begin; update ${old.schema}.task set data = 'held' where id = 15`
    const refusal = {
      code: 'wrong_state',
      message: expect.stringMatching(new RegExp(`${old.schema}.task is in use by process \\d+`)),
      hint: expect.stringContaining('Nothing was changed'),
    }
    const before = await snapshot(table.db, old.schema)
    try {
      await user.query(use)
      await expect(adoptTaskTable(table.db, old.options)).rejects.toMatchObject(refusal)
      await user.query('rollback')
      expect(await snapshot(table.db, old.schema)).toEqual(before)

      await adoptTaskTable(table.db, old.options)
      await user.query(use)
      await expect(releaseTaskTable(table.db, old.place)).rejects.toMatchObject(refusal)
    } finally {
      await user.query('rollback')
    }
  })

  test('refuses one that is adopted already', async ({ table, old }) => {
    await adoptTaskTable(table.db, old.options)

    await expect(adoptTaskTable(table.db, old.options)).rejects.toMatchObject({
      message: expect.stringContaining('is a task table already'),
    })
  })

  test('is asked for by name: creating a task table there is refused', async ({
    table,
    old,
    engine,
  }) => {
    await expect(
      engine.rows(`select ${table.dialectSchema}.create_task_table($1)`, old.schema),
    ).rejects.toMatchObject({ message: expect.stringContaining('move it with --adopt') })
  })
})
