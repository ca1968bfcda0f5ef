import { describe, expect, inject } from 'vitest'
import { test as base } from './background.ts'

const test = base.extend<{ loopback: string }>({
  /** A connection string for the loopback, with dblink there to use it. */
  loopback: async ({ db, dialect }, use) => {
    await db.query(`create schema ${dialect}_x; create extension dblink schema ${dialect}_x`)
    await use(inject('pgUrl'))
    await db.query(`delete from ${dialect}.background_loopback`)
    await db.query(`set client_min_messages = warning; drop schema ${dialect}_x cascade`)
  },
})

describe('a loopback connection', () => {
  test('lets one transaction launch and wait, and keeps what it launched', async ({
    ask,
    loopback,
    session,
    workBackground,
  }) => {
    await ask('select pg_background_set_loopback($1)', loopback)
    await workBackground()
    const client = await session()

    await client.query('begin')
    const { rows } = await client.query(
      `select * from pg_background_result(pg_background_launch('select 6 * 7, ''it''''s\\''')) as (n int, t text)`,
    )
    const { rows: handles } = await client.query(
      `select pid, cookie from pg_background_launch_v2('select 1', label => 'mine')`,
    )
    const { rows: waited } = await client.query('select pg_background_wait_v2($1, $2) as nothing', [
      handles[0].pid,
      handles[0].cookie,
    ])
    await client.query('rollback')

    expect(rows).toEqual([{ n: 42, t: "it's\\" }])
    expect(waited).toEqual([{ nothing: '' }])
    expect(await ask('select state from pg_background_tasks where id = $1', handles[0].pid)).toBe(
      'finished',
    )
  })

  test('is refused as a role without rights, and then nothing is changed', async ({
    ask,
    db,
    dialect,
    loopback,
  }) => {
    const stranger = new URL(loopback)
    Object.assign(stranger, { username: `${dialect}_stranger`, password: 'secret' })
    await db.query(`create role ${dialect}_stranger login password 'secret'`)

    await expect(ask('select pg_background_set_loopback($1)', stranger.href)).rejects.toMatchObject(
      { code: '22023' },
    )

    expect(await ask(`select count(*)::int from ${dialect}.background_loopback`)).toBe(0)
    await db.query(`drop role ${dialect}_stranger`)
  })

  test('is needed to wait in the transaction that launched', async ({ ask, session }) => {
    const client = await session()
    await client.query('begin')

    await expect(
      client.query(`select pg_background_wait(pg_background_launch('select 1'))`),
    ).rejects.toMatchObject({ code: '55000' })

    await client.query('rollback')
    await expect(ask(`select pg_background_set_loopback('dbname=x')`)).rejects.toMatchObject({
      message: expect.stringContaining('dblink'),
    })
  })
})
