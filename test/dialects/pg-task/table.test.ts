import { describe, expect } from 'vitest'
import { installDialect } from '../../../src/dialects/install-dialect.ts'
import { taskQueues } from '../../../src/dialects/pg-task/task-queues.ts'
import { test } from './support.ts'

/** Name, type, default as the catalog writes it. */
const columns = [
  ['id', 'bigint'],
  ['parent', 'bigint'],
  ['plan', 'timestamp with time zone'],
  ['start', 'timestamp with time zone'],
  ['stop', 'timestamp with time zone'],
  ['active', 'interval'],
  ['live', 'interval'],
  ['repeat', 'interval'],
  ['timeout', 'interval'],
  ['count', 'integer'],
  ['max', 'integer'],
  ['pid', 'integer'],
  ['state', 'state'],
  ['delete', 'boolean'],
  ['drift', 'boolean'],
  ['header', 'boolean'],
  ['save', 'boolean'],
  ['string', 'boolean'],
  ['delimiter', '"char"'],
  ['escape', '"char"'],
  ['quote', '"char"'],
  ['data', 'text'],
  ['error', 'text'],
  ['group', 'text'],
  ['input', 'text'],
  ['null', 'text'],
  ['output', 'text'],
  ['remote', 'text'],
]

const builtIn = `active = '1 hour' and live = '0' and repeat = '0' and timeout = '0' and count = 0 and max = 0
  and delete and not drift and header and not save and string and delimiter = e'\\t' and escape = '' and quote = ''
  and "group" = 'group' and "null" = '\\N' and parent is null and plan is not null and state = 'PLAN'`

describe('a task table', () => {
  test('has the columns of pg_task, in their order and types', async ({ table }) => {
    const rows = await table.rows<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, atttypmod) as type
       from pg_attribute where attrelid = 'task'::regclass and attnum > 0 order by attnum`,
    )

    expect(rows.map(({ name, type }) => [name, type])).toEqual(columns)
  })

  test('has the states of pg_task, in their order', async ({ table }) => {
    const [row] = await table.rows<{ states: string }>(
      'select enum_range(null::state)::text as states',
    )

    expect(row?.states).toBe('{PLAN,GONE,TAKE,WORK,DONE,FAIL,STOP}')
  })

  test('needs nothing but an input', async ({ table }) => {
    const id = await table.insert({ input: 'SELECT now()' })

    expect(await table.rows(`select from task where id = $1 and ${builtIn}`, id)).toHaveLength(1)
  })

  test('gives back what was inserted, with its id', async ({ table }) => {
    const [row] = await table.rows(
      `insert into task (input, max, "group") values ('select 1', 3, 'a') returning *`,
    )

    expect(row).toMatchObject({ max: 3, group: 'a', state: 'PLAN', input: 'select 1' })
    expect(await table.row(row?.id ?? '')).toMatchObject({ id: row?.id, max: 3, group: 'a' })
  })

  test('takes statements longer than an index could hold', async ({ table }) => {
    const input = `select '${'x'.repeat(20_000)}'`

    const id = await table.insert({ input })

    expect(await table.row(id)).toMatchObject({ input })
  })

  test('takes rows from a SELECT', async ({ table }) => {
    await table.rows(
      `insert into task (max, input) select 1, 'select ' || n from generate_series(1, 10) as n`,
    )

    expect(await table.rows('select from task where max = 1')).toHaveLength(10)
  })

  test.for([
    [{ input: 'x', active: '0' }, 'active must be longer than 0'],
    [{ input: 'x', active: '170000000 years' }, 'active leads beyond the end of the calendar'],
    [{ input: 'x', live: '-1 s' }, 'live must not be negative'],
    [{ input: 'x', repeat: '-1 s' }, 'repeat must not be negative'],
    [{ input: 'x', repeat: '1 mon -29 days' }, 'no part of repeat may be negative'],
    [{ input: 'x', timeout: '-1 s' }, 'timeout must not be negative'],
    [{ input: 'x', count: -1 }, 'count must not be negative'],
    [{ input: 'x', plan: 'infinity' }, 'plan must be a finite time'],
    [{ input: 'x', delimiter: 'é' }, 'ASCII'],
  ] as const)('refuses %j', async ([row, message], { table }) => {
    await expect(table.insert(row)).rejects.toMatchObject({
      code: 'TK004',
      message: expect.stringContaining(message),
      hint: expect.any(String),
    })

    expect(await table.rows('select from task')).toEqual([])
  })

  test('refuses to repeat after an endless time', async ({ table }) => {
    // Before Postgres 17 there is no such interval.
    await expect(table.insert({ input: 'x', repeat: 'infinity' })).rejects.toMatchObject({
      code: expect.stringMatching(/^(TK004|22007)$/),
    })

    expect(await table.rows('select from task')).toEqual([])
  })

  test('may have any name in any schema, several to a database', async ({
    table,
    engine,
    db,
    schema,
  }) => {
    const name = 'My "Tasks"; drop'
    await engine.rows(`select ${table.dialectSchema}.create_task_table($1, $2)`, table.schema, name)

    const [row] = await table.rows(
      `insert into "My ""Tasks""; drop" (input) values ('x') returning id`,
    )

    expect(await table.rows('select from task')).toEqual([])
    expect(await taskQueues(db, schema)).toHaveLength(2)
    const queue = `pg_task:${table.schema}."My ""Tasks""; drop"`
    const task = await engine.value(`select id from tasks where key = $1`, row?.id)
    expect(await engine.task(String(task))).toMatchObject({ queue })
    await engine.rows(`select ${table.dialectSchema}.drop_task_table($1, $2)`, table.schema, name)
    expect(await engine.task(String(task))).toMatchObject({ state: 'cancelled' })
  })

  test('leaves what is there alone, and other types named state', async ({ table, engine }) => {
    const schema = `${table.schema}_2`
    await engine.rows(`create schema ${schema}`)
    await engine.rows(`create type ${schema}.state as enum ('on', 'off')`)
    await engine.rows(`create table ${schema}.there ()`)

    const clash = engine.rows(
      `select ${table.dialectSchema}.create_task_table($1, 'there')`,
      schema,
    )
    await expect(clash).rejects.toMatchObject({ code: 'invalid_argument' })
    await engine.rows(`select ${table.dialectSchema}.create_task_table($1)`, schema)

    const type = await engine.value(
      `select format_type(atttypid, null) from pg_attribute
       where attrelid = '${schema}.task'::regclass and attname = 'state'`,
    )
    expect(type).toBe(`${schema}.task_state`)
    await engine.rows(`drop schema ${schema} cascade`)
  })

  test('calls no function of the owner of its schema', async ({ table, engine, db }) => {
    const mallory = `mallory_${table.schema}`
    await db.query(`create role ${mallory}; create schema ${mallory} authorization ${mallory};
      set role ${mallory};
      create type ${mallory}.state as enum ('PLAN', 'GONE', 'TAKE', 'WORK', 'DONE', 'FAIL', 'STOP');
      create function ${mallory}.spy(${mallory}.state) returns json language plpgsql as
        'begin raise exception ''called as %'', current_user; end';
      create cast (${mallory}.state as json) with function ${mallory}.spy(${mallory}.state);
      reset role`)

    await engine.rows(`select ${table.dialectSchema}.create_task_table($1)`, mallory)
    await engine.rows(`insert into ${mallory}.task (input) values ('select 1')`)
    await engine.rows(`update ${mallory}.task set data = 'any'`)

    expect(await engine.value(`select pg_typeof(state)::text from ${mallory}.task`)).toBe(
      `${mallory}.task_state`,
    )
    // In the place of the table, a view of their own.
    await db.query(`drop table ${mallory}.task; set role ${mallory};
      create view ${mallory}.task as select 1 as id; reset role`)
    await expect(
      engine.rows(`select ${table.dialectSchema}.create_task_table($1)`, mallory),
    ).rejects.toMatchObject({ message: `${mallory}.task already exists and is not a task table` })
    await engine.rows(`select ${table.dialectSchema}.refresh_task_tables()`)
    expect(await engine.value(`select count(*) from ${table.dialectSchema}.task_tables`)).toBe('1')
    await db.query(`drop schema ${mallory} cascade; drop role ${mallory}`)
  })

  test('stays as it is when the dialect is installed again, and is renewed when that changed', async ({
    table,
    schema,
    db,
  }) => {
    const id = await table.insert({ input: 'select 1' })
    const options = { dialect: 'pg-task', schema: table.dialectSchema, engineSchema: schema }
    expect(await installDialect(db, options)).toMatchObject({ applied: [], removed: [] })
    await db.query(
      `update ${table.dialectSchema}.installed set hash = 'old' where path = 'grants.sql'`,
    )

    const { applied } = await installDialect(db, options)

    expect(applied).toEqual(['grants.sql'])
    expect(await table.row(id)).toMatchObject({ state: 'PLAN', input: 'select 1' })
  })
})

describe('the engine beneath a task table', () => {
  test('may have the dialect once', async ({ table, schema, db }) => {
    const schemaOfAnother = `${table.dialectSchema}_2`
    const second = installDialect(db, {
      ...{ dialect: 'pg-task', schema: schemaOfAnother, engineSchema: schema },
    })

    await expect(second).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('already installed over this engine'),
    })
  })

  test('writes texts and repetitions in the days to come as well', async ({ table, engine }) => {
    await engine.sweep()
    expect(
      await engine.value(
        `select count(*) > 1 from pg_inherits where inhparent = 'finished'::regclass`,
      ),
    ).toBe(true)
    const id = await table.insert({ input: 'x', repeat: '1 hour', delete: false })

    await engine.fail(await engine.claimOne(table.queue), { message: 'one' })

    expect(await table.row(id)).toMatchObject({ state: 'FAIL', error: 'ERROR:  one' })
    expect(await table.rows('select from task where parent = $1', id)).toHaveLength(1)
  })

  test('ends a task whose row cannot be read any more, and others with it', async ({
    table,
    engine,
  }) => {
    const odd = await table.taskOf(await table.insert({ input: 'x', max: -1, group: 'a' }))
    const plain = await table.insert({ input: 'x', group: 'b', delete: false })
    await engine.rows(
      `update tasks set meta = '{"pg_task": {"zone": 7, "max": "-x", "drift": "maybe"}}' where id = $1`,
      odd,
    )

    const tasks = await engine.claim(table.queue, { limit: 2 })
    expect(await engine.completeMany(tasks)).toHaveLength(2)

    expect(await engine.task(odd)).toMatchObject({ state: 'done' })
    expect(await table.row(plain)).toMatchObject({ state: 'DONE' })
  })

  test('keeps tasks of other queues as they are', async ({ engine }) => {
    const task = await engine.running({ meta: { pg_task: { repeat: '1 hour' } } })

    await engine.complete(task, { any: 'thing' })

    expect(await engine.task(task.id)).toMatchObject({
      ...{ meta: { pg_task: { repeat: '1 hour' } }, output: { any: 'thing' } },
    })
    expect(await engine.value('select count(*) from tasks')).toBe('0')
  })
})
