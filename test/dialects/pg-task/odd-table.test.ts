import { describe, expect } from 'vitest'
import { test } from './support.ts'

const create = (dialect: string) => `select ${dialect}.create_task_table($1, $2)`

describe('a task table that its owner changed', () => {
  test('loses no task with a column, names it, and gets it back', async ({ table, engine }) => {
    await engine.rows(create(table.dialectSchema), table.schema, 'bare')
    await table.rows(`alter table bare alter "count" set default 3`)
    await table.rows(`insert into bare (input) values ('x')`)
    const queue = `pg_task:${table.schema}.bare`
    const task = await engine.claimOne(queue)
    await table.rows('alter table bare drop column output, drop column "max"')

    await engine.complete(task, { results: [] })

    expect(await engine.task(task.id)).toMatchObject({ state: 'done' })
    expect(await engine.rows(`select error from ${table.dialectSchema}.owed_writes`)).toEqual([
      { error: expect.stringContaining('column "max" does not exist') },
    ])
    await expect(table.rows(`insert into bare (input) values ('y')`)).rejects.toThrow(
      'column "max" does not exist',
    )

    await engine.rows(create(table.dialectSchema), table.schema, 'bare')
    await engine.rows(`update ${table.dialectSchema}.owed_writes set next_try = now()`)
    expect(await engine.value(`select ${table.dialectSchema}.write_owed()`)).toBe(1)
    // It printed nothing, so it vanishes; the default of the owner has stayed.
    expect(await table.rows(`insert into bare (input) values ('y') returning "count"`)).toEqual([
      { count: 3 },
    ])
    expect(await table.rows('select input from bare')).toEqual([{ input: 'y' }])
    await engine.rows(`select ${table.dialectSchema}.drop_task_table($1, 'bare')`, table.schema)
  })

  test('may be partitioned', async ({ table, engine }) => {
    await table.rows(`create table parts (like task including defaults) partition by range (id);
      create table parts_1 partition of parts for values from (1) to (100);
      create table parts_2 partition of parts for values from (100) to (200);
      create sequence parts_id; alter table parts alter id set default nextval('${table.schema}.parts_id');
      alter table parts add primary key (id)`)
    await engine.rows(create(table.dialectSchema), table.schema, 'parts')
    const queue = `pg_task:${table.schema}.parts`
    await table.rows(`insert into parts (input) values ('x');
      insert into parts (id, input, delete, "group") values (150, 'y', false, 'other')`)
    await table.rows(`update parts set input = 'z' where id = 150`)

    const tasks = await engine.claim(queue, { limit: 2 })
    await engine.completeMany(tasks)

    expect(tasks).toMatchObject([
      { key: '1', payload: { sql: 'x' } },
      { key: '150', payload: { sql: 'z' } },
    ])
    expect(await table.rows('select id, state from parts')).toEqual([{ id: '150', state: 'DONE' }])
    await engine.rows(`select ${table.dialectSchema}.drop_task_table($1, 'parts')`, table.schema)
    await table.rows('drop sequence parts_id')
  })

  test('ends tasks that cannot repeat because a column is unique, and repeats them later', async ({
    table,
    engine,
  }) => {
    await table.rows('alter table task add column ref text unique')
    await table.rows(`insert into task (input, repeat, ref) values ('x', '1 hour', 'only one')`)

    await engine.complete(await engine.claimOne(table.queue), { results: [] })

    expect(await table.rows('select state, ref from task')).toEqual([
      { state: 'DONE', ref: 'only one' },
    ])
    expect(await engine.rows(`select what, error from ${table.dialectSchema}.owed_writes`)).toEqual(
      [{ what: 'repeat', error: expect.stringContaining('task_ref_key') }],
    )
    await table.rows('alter table task drop constraint task_ref_key')
    await engine.rows(`update ${table.dialectSchema}.owed_writes set next_try = now()`)
    expect(await engine.value(`select ${table.dialectSchema}.write_owed()`)).toBe(1)
    expect(await table.rows(`select state, ref from task`)).toEqual([
      { state: 'PLAN', ref: 'only one' },
    ])
    await table.rows('alter table task drop column ref')
  })
})
