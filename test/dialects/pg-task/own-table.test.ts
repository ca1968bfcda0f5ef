import { describe, expect } from 'vitest'
import { until } from '../../support/until.ts'
import { test } from './support.ts'

const create = (dialect: string) => `select ${dialect}.create_task_table($1, $2)`

describe('a task table is a table of its owner', () => {
  test('takes columns, which survive repetitions, whatever their type', async ({
    table,
    engine,
  }) => {
    await table.rows(`create type "my Mood" as enum ('good', 'bad')`)
    await table.rows(`create table own_columns (like task including all)`)
    await engine.rows(create(table.dialectSchema), table.schema, 'own_columns')
    await table.rows(`alter table own_columns add column "customer Id" int not null default 0,
      add column mood "my Mood", add column double int generated always as ("max" * 2) stored,
      add column serial_no bigint generated always as identity, add column needed text`)
    await table.rows(`update own_columns set needed = ''`)
    await table.rows(`alter table own_columns alter column needed set not null`)
    await table.rows(
      `insert into own_columns (input, repeat, "customer Id", mood, max, needed) values ('x', '1 hour', 7, 'bad', 3, 'y')`,
    )
    const queue = `pg_task:${table.schema}.own_columns`

    await engine.complete(await engine.claimOne(queue), { results: [] })

    expect(
      await table.rows(`select "customer Id" as customer, mood, double, needed from own_columns
        where parent is not null`),
    ).toEqual([{ customer: 7, mood: 'bad', double: 6, needed: 'y' }])
    await engine.rows(
      `select ${table.dialectSchema}.drop_task_table($1, 'own_columns')`,
      table.schema,
    )
    await table.rows('drop type "my Mood" cascade')
  })

  test('takes triggers and indexes, which see every state', async ({ table, engine }) => {
    await table.rows(`create table seen (state text);
      create function see() returns trigger language plpgsql as
        'begin insert into ${table.schema}.seen values (new.state); return null; end';
      create trigger watch after insert or update of state on task for each row execute function see();
      create index on task (state)`)
    await table.insert({ input: 'x' })
    const task = await engine.claimOne(table.queue)
    await engine.rows('select report_sql($1, $2, $3, $4)', [task.id], [task.claim], [5], [null])

    await engine.complete(task, { results: [] })

    expect(await table.rows('select state from seen')).toEqual([
      { state: 'PLAN' },
      { state: 'WORK' },
      { state: 'DONE' },
    ])
    await table.rows('drop trigger watch on task; drop function see(); drop table seen')
  })

  test('lets a trigger plan the next task', async ({ table, engine }) => {
    await table.rows(`create function chain() returns trigger language plpgsql as
        'begin insert into ${table.schema}.task (input, data) values (''next'', ''after'');
         return null; end';
      create trigger chain after update of state on task for each row
        when (new.state = 'DONE' and new.data is null) execute function chain()`)
    await table.insert({ input: 'first' })

    await engine.complete(await engine.claimOne(table.queue), { results: [] })

    expect(await engine.claimOne(table.queue)).toMatchObject({ payload: { sql: 'next' } })
    await table.rows('drop trigger chain on task; drop function chain()')
  })

  test('is emptied by TRUNCATE, with the tasks that wait and run', async ({ table, engine }) => {
    await table.insert({ input: 'x' })
    const task = await engine.claimOne(table.queue)
    await table.insert({ input: 'y', group: 'other' })

    await table.rows('truncate task restart identity')

    expect(await engine.claim(table.queue)).toEqual([])
    await expect(engine.complete(task)).rejects.toMatchObject({ code: 'task_not_found' })
    expect(await table.insert({ input: 'z' })).toBe('1')
    expect(await engine.claimOne(table.queue)).toMatchObject({ key: '1', payload: { sql: 'z' } })
  })

  test('keeps the defaults that its owner set, also when the dialect is installed again', async ({
    table,
    engine,
  }) => {
    await table.rows(`alter table task alter max set default 42`)

    await engine.rows(`select ${table.dialectSchema}.refresh_task_tables()`)

    const id = await table.insert({ input: 'x' })
    expect(await table.row(id)).toMatchObject({ max: 42 })
    expect(await engine.claimOne(table.queue)).toMatchObject({ priority: 42 })
    await table.rows(`alter table task alter max set default 0`)
  })

  test('survives being renamed', async ({ table, engine }) => {
    await engine.rows(create(table.dialectSchema), table.schema, 'before')
    await table.rows('alter table before rename to after')

    await table.rows(`insert into after (input) values ('x')`)

    expect(await engine.claimOne(`pg_task:${table.schema}.before`)).toMatchObject({ key: '1' })
    await engine.rows(`select ${table.dialectSchema}.refresh_task_tables()`)
    await engine.rows(`select ${table.dialectSchema}.drop_task_table($1, 'after')`, table.schema)
  })

  test('may be dropped: what waits is cancelled', async ({ table, engine }) => {
    await engine.rows(create(table.dialectSchema), table.schema, 'short')
    await table.rows(`insert into short (input) values ('x')`)
    await table.rows('drop table short')

    await engine.rows(`select ${table.dialectSchema}.refresh_task_tables()`)

    expect(await engine.claim(`pg_task:${table.schema}.short`)).toEqual([])
    expect(await engine.value(`select count(*) from ${table.dialectSchema}.task_tables`)).toBe('1')
  })
})

describe('a table that the user made', () => {
  test('becomes a task table: what it lacks is added, and what is planned runs', async ({
    table,
    engine,
  }) => {
    await table.rows(`create table mine (
      id bigserial primary key, note text default 'mine', plan timestamptz not null default now(),
      state text not null default 'PLAN', input text not null, max integer not null default 5)`)
    await table.rows(`insert into mine (input) values ('select 1'), ('select 2')`)
    await table.rows(`insert into mine (input, state) values ('select 3', 'DONE')`)

    await engine.rows(create(table.dialectSchema), table.schema, 'mine')

    const queue = `pg_task:${table.schema}.mine`
    const tasks = await engine.claim(queue, { limit: 9 })
    expect(tasks.map(({ key, priority }) => [key, priority])).toEqual([
      ['1', 5],
      ['2', 5],
    ])
    await engine.completeMany(tasks)
    expect(await table.rows('select note, active from mine where id = 3')).toMatchObject([
      { note: 'mine', active: { hours: 1 } },
    ])
    await engine.rows(`select ${table.dialectSchema}.drop_task_table($1, 'mine')`, table.schema)
  })

  test.for([
    ['(id bigserial primary key, plan timestamptz, state text)', 'has no column input'],
    [
      '(id bigserial primary key, plan timestamptz, state text, input int)',
      'input of .* is integer and not text',
    ],
    ['(id bigint, plan timestamptz, state text, input text)', 'id of .* has no default'],
    ['(id bigserial, plan timestamptz, state text, input text)', 'id of .* is not unique'],
    [
      `(id bigserial primary key, plan timestamptz, state text, input text generated always as ('x') stored)`,
      'input of .* is generated',
    ],
    [
      '(id bigserial primary key, plan timestamptz, state integer, input text)',
      'state of .* must be an enum',
    ],
  ] as const)(
    'is refused as %s, and stays as it was',
    async ([columns, message], { table, engine }) => {
      await table.rows(`create table odd ${columns}`)
      const shape = `select attname, atttypid from pg_attribute where attrelid = 'odd'::regclass and attnum > 0`
      const before = await table.rows(shape)

      await expect(
        engine.rows(create(table.dialectSchema), table.schema, 'odd'),
      ).rejects.toMatchObject({
        ...{ code: 'invalid_argument', hint: expect.any(String) },
        message: expect.stringMatching(message),
      })

      expect(await table.rows(shape)).toEqual(before)
      await table.rows('drop table odd')
    },
  )
})

describe('what cannot be written to a row', () => {
  test('because another transaction holds the row keeps no task from ending, and is written later', async ({
    table,
    engine,
    connect,
  }) => {
    const id = await table.insert({ input: 'x', repeat: '1 hour' })
    const other = await table.insert({ input: 'y', group: 'b', delete: false })
    const holder = await connect()
    await holder.query(
      `begin; update ${table.schema}.task set data = 'held' where id = $1`.replace('$1', id),
    )

    await engine.completeMany(await engine.claim(table.queue, { limit: 2 }))

    expect(await table.row(other)).toMatchObject({ state: 'DONE' })
    expect(await table.row(id)).toMatchObject({ state: 'PLAN' })
    await holder.query('commit')
    await until(
      async () => (await engine.value(`select ${table.dialectSchema}.write_owed()`)) === 1,
    )
    expect(await table.rows('select data from task where parent = $1', id)).toEqual([
      { data: 'held' },
    ])
  })

  test('because a trigger of the user fails keeps no task from ending, and is said', async ({
    table,
    engine,
  }) => {
    await table.rows(`create function fail() returns trigger language plpgsql as
        'begin raise exception ''no''; end';
      create trigger fail before update of state on task for each row when (new.state = 'DONE') execute function fail()`)
    const id = await table.insert({ input: 'x', delete: false })
    const task = await engine.claimOne(table.queue)

    await engine.complete(task, { results: [] })

    expect(await engine.task(task.id)).toMatchObject({ state: 'done' })
    expect(await engine.rows(`select task, error from ${table.dialectSchema}.owed_writes`)).toEqual(
      [{ task: task.id, error: 'no' }],
    )
    await table.rows('drop trigger fail on task; drop function fail()')
    await engine.rows(`update ${table.dialectSchema}.owed_writes set next_try = now()`)
    expect(await engine.value(`select ${table.dialectSchema}.write_owed()`)).toBe(1)
    expect(await table.row(id)).toMatchObject({ state: 'DONE' })
  })
})

describe('the table of defaults', () => {
  test('has levels: a table before the session, a user before the database', async ({
    table,
    engine,
  }) => {
    const set = (level: string, whom: string, value: string) =>
      engine.rows(
        `insert into ${table.dialectSchema}.defaults values ($1, $2, 'count', $3)
         on conflict (level, "for", name) do update set value = excluded.value`,
        ...[level, whom, value],
      )
    const count = async () => (await table.row(await table.insert({ input: 'x' })))?.['count']
    const { user } = (await table.rows<{ user: string }>('select session_user as user'))[0] ?? {}

    await set('configuration', '', '1')
    expect(await count()).toBe(1)
    await set('database', '', '2')
    expect(await count()).toBe(2)
    await set('user', user ?? '', '3')
    expect(await count()).toBe(3)
    const client = await table.db.connect()
    await client.query('set pg_task.count = 4')
    const inSession = async () =>
      (await client.query(`insert into task (input) values ('x') returning count`)).rows[0].count
    expect(await inSession()).toBe(4)
    await set('table', `${table.schema}.task`, '5')
    expect(await inSession()).toBe(5)
    await client.query('begin')
    expect(await inSession()).toBe(5)
    await client.query(`delete from ${table.dialectSchema}.defaults`)
    expect(await inSession()).toBe(4)
    await client.query('commit; reset pg_task.count')
    client.release()
    expect(await count()).toBe(0)
  })

  test.for([
    ['galaxy', '', 'max', '1', 'unknown level'],
    ['user', '', 'max', '1', 'needs a name'],
    ['database', 'x', 'max', '1', 'takes no name'],
    ['database', '', 'input', 'select 1', 'cannot have a default'],
    ['database', '', 'max', 'many', 'invalid input syntax'],
    ['database', '', 'plan', 'soon', 'invalid input syntax'],
  ] as const)(
    'refuses %s %s %s %s',
    async ([level, whom, name, value, message], { table, engine }) => {
      await expect(
        engine.rows(
          `insert into ${table.dialectSchema}.defaults values ($1, $2, $3, $4)`,
          ...[level, whom, name, value],
        ),
      ).rejects.toMatchObject({
        ...{ code: 'invalid_argument', hint: expect.any(String) },
        message: expect.stringContaining(message),
      })
    },
  )
})
