import type pg from 'pg'
import { describe, expect } from 'vitest'
import { inOwnDatabase } from '../../support/own-database.ts'
import { test } from './support.ts'

/** The count that a task gets, given or left out. */
async function countOf(client: pg.Client, given = 'default'): Promise<unknown> {
  const text = `insert into task (input, count) values ('x', ${given}) returning count`
  return (await client.query<{ count: number }>(text)).rows[0]?.count
}

describe('defaults (five levels)', () => {
  test('are those of the session, and built in again after RESET', async ({ table }) => {
    const client = await table.db.connect()
    try {
      await client.query(`set pg_task.max = 5; set pg_task."group" = 'mine'; set pg_task.delete = off;
        set pg_task.delimiter = ';'; set pg_task.active = '2 hours'; set pg_task."null" = 'NULL'`)
      const set = await client.query(`insert into task (input) values ('x') returning *`)
      await client.query('reset all')
      const reset = await client.query(`insert into task (input) values ('x') returning *`)

      expect(set.rows[0]).toMatchObject({
        max: 5,
        group: 'mine',
        delete: false,
        delimiter: ';',
        null: 'NULL',
      })
      expect(set.rows[0].active).toMatchObject({ hours: 2 })
      expect(reset.rows[0]).toMatchObject({
        max: 0,
        group: 'group',
        delete: true,
        delimiter: '\t',
        null: '\\N',
      })
    } finally {
      client.release()
    }
  })

  test('go from the row to the session, the role, the database and what is built in', async ({
    db,
  }) => {
    await inOwnDatabase('pg-task', async ({ name, dialectSchema, connect }) => {
      const role = `role_${name}`
      const admin = await connect()
      await admin.query(`select ${dialectSchema}.create_task_table()`)
      await db.query(`create role ${role} superuser login password 'secret'`)
      try {
        await admin.query(`alter database ${name} set pg_task.count = 1`)
        await admin.query(`alter role ${role} in database ${name} set pg_task.count = 2`)
        const everybody = await connect()
        const caller = await connect({ user: role, password: 'secret' })

        expect(await countOf(everybody)).toBe(1)
        expect(await countOf(caller)).toBe(2)
        await caller.query('set pg_task.count = 3')
        expect(await countOf(caller)).toBe(3)
        expect(await countOf(caller, '4')).toBe(4)
      } finally {
        await db.query(`drop role ${role}`)
      }
    })
  })

  test('of plan may name another clock, or a time', async ({ table }) => {
    const client = await table.db.connect()
    try {
      await client.query(`begin; select pg_sleep(0.01); set local pg_task.plan = 'now()'`)
      const named = await client.query(
        `insert into task (input) values ('x') returning plan = now() as is_now`,
      )
      await client.query(`set local pg_task.plan = '2030-01-01 00:00+00'`)
      const given = await client.query(`insert into task (input) values ('x') returning plan`)
      await client.query('rollback')

      expect(named.rows).toEqual([{ is_now: true }])
      expect(given.rows).toEqual([{ plan: new Date('2030-01-01T00:00:00Z') }])
    } finally {
      client.release()
    }
  })
})
