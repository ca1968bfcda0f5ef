import type pg from 'pg'
import { describe, expect } from 'vitest'
import { testRoles } from '../../support/engine.ts'
import { plantOwnersCode, restricted, takeAttempts } from '../../support/owners-code.ts'
import { test as base, type TaskTable } from './support.ts'

interface Rights {
  /** A role that may do nothing yet, and a connection as that role. */
  ada: { readonly name: string; readonly client: pg.Client }
}

const test = base.extend<Rights>({
  ada: async ({ connect, table, db }, use) => {
    const name = `ada_${table.schema}`
    await db.query(`create role ${name}; grant usage on schema ${table.schema} to ${name}`)
    const client = await connect()
    await client.query(`set role ${name}; set search_path = ${table.schema}`)

    await use({ name, client })

    await db.query(`drop owned by ${name}; drop role ${name}`)
  },
})

const insert = `insert into task (input) values ('select current_user') returning id`
const grant = ({ schema }: TaskTable, what: string, to: string) =>
  `grant ${what} on ${schema}.task to ${to}`

const soon = () => new Date(Date.now() + 3_600_000)

describe('who may do what with a task table', () => {
  test('is not decided by who maintains the table of another', async ({ ada, table, db }) => {
    await db.query(grant(table, 'insert', ada.name))
    await plantOwnersCode(
      db,
      ada.name,
      `insert into ${table.schema}.task (input) values ('alter role ${ada.name} superuser')`,
    )

    await db.query(`analyze ${ada.name}.bait`)

    expect(await takeAttempts(db, ada.name)).toMatchObject([
      { current_user: ada.name, outcome: restricted },
    ])
    expect((await db.query(`select from ${table.schema}.task`)).rows).toEqual([])
  })

  test('is granted on the table, as on any', async ({ ada, table, db }) => {
    await expect(ada.client.query(insert)).rejects.toMatchObject({ code: '42501' })
    await expect(ada.client.query('select * from task')).rejects.toMatchObject({ code: '42501' })

    await db.query(grant(table, 'select', ada.name))

    expect((await ada.client.query('select * from task')).rows).toEqual([])
    await expect(ada.client.query('delete from task')).rejects.toMatchObject({ code: '42501' })
  })

  test('says nothing of the right to have SQL run, which an admin allows', async ({
    ada,
    table,
    db,
  }) => {
    await db.query(grant(table, 'select, insert', ada.name))

    await expect(ada.client.query(insert)).rejects.toMatchObject({
      code: 'TK004',
      message: expect.stringContaining('may not send SQL of its own'),
    })
  })

  test('lets a task run as the role that inserted it, and its repetitions too', async ({
    ada,
    table,
    db,
    engine,
    serve,
  }) => {
    await db.query(grant(table, 'select, insert', ada.name))
    await engine.rows('select allow_sql($1, $1)', ada.name)
    await serve()
    const { rows } = await ada.client.query<{ id: string }>(
      `insert into task (input, repeat) values ('select current_user', '1 hour') returning id`,
    )

    expect(await table.when(rows[0]?.id ?? '', 'DONE')).toMatchObject({ output: ada.name })
    expect(await engine.rows(`select submitted_by, payload ->> 'role' as role from tasks`)).toEqual(
      [{ submitted_by: ada.name, role: ada.name }],
    )
  })

  test('runs another input as the role that wrote it', async ({ ada, table, db, engine }) => {
    await table.insert({ input: 'select 1' })
    await db.query(grant(table, 'select, update', ada.name))

    await expect(ada.client.query(`update task set input = 'x'`)).rejects.toMatchObject({
      code: 'TK004',
    })
    await engine.rows('select allow_sql($1, $1)', ada.name)
    await ada.client.query(`update task set input = 'x'`)

    expect(await engine.rows(`select submitted_by, payload ->> 'role' as role from tasks`)).toEqual(
      [{ submitted_by: ada.name, role: ada.name }],
    )
  })

  test('lets operators do it all, and no role call what is behind the triggers', async ({
    table,
    connect,
    db,
  }) => {
    const client = await connect()
    await db.query(`grant usage on schema ${table.schema} to ${testRoles}_operator`)
    await client.query(`set role ${testRoles}_operator; set search_path = ${table.schema}`)

    const { rows } = await client.query(insert)
    await client.query(`update task set state = 'STOP'`)
    await client.query(`delete from task where id = ${rows[0].id}`)

    const { rows: open } = await db.query(
      `select proname from pg_proc
       where pronamespace = '${table.dialectSchema}'::regnamespace and has_function_privilege('${testRoles}_operator', oid, 'execute')`,
    )
    expect(open).toEqual([{ proname: 'write_owed' }])
  })

  const odd = {
    ...{ active: 'soon', live: '999999999 years', repeat: 'infinity years', timeout: [], max: 'x' },
    ...{ count: 1e15, delete: 'maybe', drift: 0, header: null, delimiter: 'ü', quote: 'long' },
  }
  test.for([{ statement: 'noop' }, { sql: 'select 1' }])(
    'to enqueue is not enough to hide tasks behind an error: %j',
    async (payload, { table, engine }) => {
      await engine.rows(`select set_statement('noop', '{"sql": "select 1"}')`)
      const own = await table.insert({
        input: 'x',
        live: '1 year 2 mons -3 days -04:05:06.789',
        plan: soon(),
      })
      const enqueue = 'select enqueue($1, $2, p_kind => $3, p_run_at => now() + $4, p_meta => $5)'
      const meta = { pg_task: odd }
      await engine.rows(enqueue, table.queue, payload, 'sql', '1 hour', meta)
      await engine.rows(enqueue, table.queue, payload, 'sql', '-1 hour', meta)
      const [claimed] = await engine.claim(table.queue)
      if (claimed === undefined) throw new Error('nothing to claim')
      await engine.complete(claimed, { pid: 'none' })

      const rows = await table.rows('select * from task where max is distinct from 7')
      expect(rows.find(({ id }) => id === own)).toMatchObject({
        ...{ max: 0, active: { hours: 1 }, live: { years: 1, months: 2, days: -3, hours: -4 } },
      })
      await table.rows(`update task set data = 'mine' where id = $1`, own)
      await table.rows('delete from task')
      expect(await table.rows('select from task')).toEqual([])
    },
  )
})
