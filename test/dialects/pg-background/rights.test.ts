import { describe, expect } from 'vitest'
import { testRoles } from '../../support/engine.ts'
import { plantOwnersCode, restricted, takeAttempts } from '../../support/owners-code.ts'
import { test } from './background.ts'

describe('rights', () => {
  test.for([
    `pg_background_launch('select 1')`,
    `pg_background_cancel_all()`,
    `(select count(*) from :d.pg_background_tasks)`,
  ])(
    'are not those of a superuser who maintains the table of another: %s',
    async (call, { bg, dialect, launch }) => {
      await launch('select 1')
      const name = `ada_${process.hrtime.bigint()}`
      await bg.query(`create role ${name}`)
      await bg.query('select pg_background_grant_privileges($1)', [name])
      const text = call.startsWith('(') ? call : `:d.${call}`
      await plantOwnersCode(bg, name, `select ${text.replaceAll(':d', dialect)}`)

      await bg.query(`analyze ${name}.bait`)

      expect(await takeAttempts(bg, name)).toMatchObject([
        { current_user: name, outcome: restricted },
      ])
      await bg.query(`drop owned by ${name} cascade`)
      await bg.query(`drop role ${name}`)
    },
  )

  test('to launch come with pgbackground_role; everybody sees tasks of their own', async ({
    bg,
    dialect,
    session,
    workBackground,
    endOf,
    launch,
  }) => {
    const name = `ada_${process.hrtime.bigint()}`
    await bg.query(`create role ${name}`)
    const ada = await session()
    await ada.query(`set role ${name}`)
    await expect(
      ada.query(`select ${dialect}.pg_background_launch('select 1')`),
    ).rejects.toMatchObject({
      code: '42501',
    })
    const other = await launch('select 1')

    await bg.query('select pg_background_grant_privileges($1)', [name])

    await workBackground()
    const { rows } = await ada.query(
      `select pg_background_launch('select current_user::text') as id`,
    )
    await endOf(rows[0].id)
    expect(
      (await ada.query('select * from pg_background_result($1) as (who text)', [rows[0].id])).rows,
    ).toEqual([{ who: name }])
    expect((await ada.query('select id from pg_background_tasks')).rows).toEqual(rows)
    for (const call of [
      'pg_background_wait($1)',
      'pg_background_cancel($1)',
      'pg_background_rows($1)',
    ])
      await expect(ada.query(`select ${call}`, [other])).rejects.toMatchObject({ code: '42704' })
    for (const role of ['', 'none', 'postgres'])
      await expect(
        ada.query(`select background_launch('select 1', 0, '{}', null, 0, 0, true, $1)`, [
          { role },
        ]),
      ).rejects.toMatchObject({ code: 'TK004', message: expect.stringContaining('may not') })
    await expect(
      ada.query(`select pg_background_set_defaults('{"reserve": 0}')`),
    ).rejects.toMatchObject({ code: '42501' })

    await bg.query('select revoke_pg_background_privileges($1)', [name])
    await expect(
      ada.query(`select ${dialect}.pg_background_launch('select 1')`),
    ).rejects.toMatchObject({
      code: '42501',
    })
    await ada.query('reset role')
    await bg.query(`drop role ${name}`)
  })

  test('of a producer are not enough to send SQL', async ({ session }) => {
    const client = await session()
    await client.query(`set role ${testRoles}_producer`)

    await expect(client.query(`select pg_background_launch('select 1')`)).rejects.toMatchObject({
      code: 'TK004',
      message: expect.stringContaining('may not send SQL'),
    })
  })

  test('tell nothing of other tasks to a condition that tells', async ({ session, launch }) => {
    await launch('select secret')
    const client = await session()
    await client.query(`set role ${testRoles}_producer`)
    await client.query(`
      create function pg_temp.peek(timestamptz) returns boolean language plpgsql cost 0.0000001
      as $$ begin raise exception 'it is of %', $1; end $$`)

    for (const [view, column] of [
      ['pg_background_tasks', 'joined_at'],
      ['pg_background_list', 'launched_at'],
    ])
      expect(
        (await client.query(`select from ${view} where pg_temp.peek(${column})`)).rowCount,
      ).toBe(0)
  })

  test('to enqueue are not enough to hide tasks behind an error', async ({
    bg,
    engine,
    launch,
  }) => {
    await engine.enqueue({
      queue: 'pg_background',
      kind: 'sql',
      payload: { sql: 'select 1' },
      meta: { pg_background: { cookie: 'x', queue_size: 'y', topics: 7, keeps_rows: [] } },
    })
    await launch('select 2')

    expect((await bg.query('select * from pg_background_tasks')).rows).toHaveLength(2)
    expect((await bg.query('select * from pg_background_list')).rows).toHaveLength(2)
  })

  test('PUBLIC has none', async ({ bg, dialect }) => {
    const { rows } = await bg.query(
      `select proname from pg_proc cross join lateral aclexplode(coalesce(proacl, acldefault('f', proowner))) as given
       where pronamespace = $1::regnamespace and given.grantee = 0`,
      [dialect],
    )

    expect(rows).toEqual([])
  })

  test('are refused to a role that does not exist', async ({ bg }) => {
    await expect(
      bg.query(`select pg_background_grant_privileges('nobody_at_all')`),
    ).rejects.toMatchObject({ code: '42704', message: expect.stringContaining('nobody_at_all') })
  })
})
