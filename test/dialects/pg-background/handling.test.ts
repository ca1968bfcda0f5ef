import { describe, expect } from 'vitest'
import { test } from '../../support/background.ts'
import { testRoles } from '../../support/engine.ts'
import { until } from '../../support/until.ts'

describe('cancelling', () => {
  test('stops a statement that runs, by its handle', async ({ workBackground, bg, ask, endOf }) => {
    await workBackground()
    const { rows } = await bg.query(`select * from pg_background_launch_v2('select pg_sleep(600)')`)
    const { pid, cookie } = rows[0]
    await until(() => ask(`select state = 'running' from pg_background_tasks where id = $1`, pid))

    await bg.query('select pg_background_cancel($1, $2, 1000)', [pid, cookie])

    expect(await endOf(pid)).toMatchObject({
      state: 'failed',
      errors: expect.stringContaining('cancelled'),
    })
    await until(() =>
      ask(
        `select not exists (select from pg_stat_activity where query like '%pg_sleep(600)%' and pid <> pg_backend_pid())`,
      ),
    )
    await expect(
      bg.query('select * from pg_background_result($1) as (n text)', [pid]),
    ).rejects.toMatchObject({ code: '57014' })
  })

  test('leaves a task alone that has ended, and refuses a wrong cookie', async ({
    ask,
    bg,
    engine,
  }) => {
    const { rows } = await bg.query(`select * from pg_background_launch_v2('select 1')`)
    await engine.completeMany(await engine.claim('pg_background'))
    const { pid, cookie } = rows[0]

    await bg.query('select pg_background_cancel_v2_grace($1, $2, 1)', [pid, cookie])

    expect(await ask('select state from pg_background_outcome($1)', pid)).toBe('stopped')
    for (const call of [
      'cancel',
      'wait',
      'detach',
      'result_info',
      'error_info',
      'full_sql',
      'get_progress',
    ])
      await expect(
        bg.query(`select pg_background_${call}($1, $2)`, [pid, String(BigInt(cookie) + 1n)]),
      ).rejects.toMatchObject({ code: '42704', message: expect.stringContaining('cookie') })
  })

  test('goes by label or topic, or for all', async ({ launch, ask }) => {
    await ask(`select pg_background_launch_v2('select 1', label => 'report 1')`)
    await ask(`select pg_background_launch_v2('select 1', label => 'report 2')`)
    await launch('select 1', `65536, 'reports'`)
    await launch('select 1')

    expect(await ask(`select pg_background_cancel_by_label('report_%')`)).toBe(3)
    expect(await ask('select pg_background_cancel_all()')).toBe(1)
    expect(await ask('select pg_background_cancel_all_v2()')).toBe(0)
  })
})

describe('the list', () => {
  test('shows tasks of all sessions until they are detached; they go on', async ({
    bg,
    ask,
    engine,
  }) => {
    const { rows } = await bg.query(
      `select * from pg_background_launch_v2('select 1', 4096, 'mine')`,
    )
    const { pid, cookie } = rows[0]

    expect((await bg.query('select * from pg_background_list')).rows).toEqual([
      {
        pid,
        cookie,
        launched_at: expect.any(Date),
        user_id: await ask('select current_user::regrole::oid'),
        queue_size: 4096,
        state: 'pending',
        sql_preview: 'select 1',
        last_error: null,
        consumed: false,
        label: 'mine',
      },
    ])
    expect((await bg.query('select * from pg_background_list_v2()')).rows).toHaveLength(1)

    await bg.query('select pg_background_detach_v2($1, $2)', [pid, cookie])

    expect((await bg.query('select * from pg_background_activity')).rows).toEqual([])
    await engine.completeMany(await engine.claim('pg_background'))
    expect(await ask('select state from pg_background_outcome($1)', pid)).toBe('stopped')
  })

  test('is cleared of what has ended, or of all; what is long gone is forgotten', async ({
    launch,
    ask,
    engine,
    dialect,
  }) => {
    const [first] = [await launch('select 1'), await launch('select 2'), await launch('select 3')]
    await engine.completeMany(await engine.claim('pg_background', { limit: 2 }))

    expect(await ask('select pg_background_purge()')).toBe(2)
    expect(await ask('select pg_background_purge_v2()')).toBe(0)
    expect(await ask('select pg_background_detach_all()')).toBe(1)

    await engine.delete(first)
    await ask(`select pg_background_detach($1)`, await launch('select 4'))
    expect(await ask(`select count(*)::int from ${dialect}.background_detached`)).toBe(3)
  })
})

describe('statistics and details', () => {
  test('count what is kept, over all sessions', async ({ launch, ask, bg, engine }) => {
    for (const sql of ['ok', 'bad', 'stopped', 'late', 'waiting']) await launch(sql)
    const tasks = await engine.claim('pg_background', { limit: 4 })
    const [ok, bad, stopped, late] = tasks
    if (!(ok && bad && stopped && late)) throw new Error('four must be there')
    await engine.complete(ok)
    await engine.fail(bad, { message: 'no', code: '22012' })
    await engine.cancel(stopped.id)
    await engine.fail(late, { message: 'too long', code: '57014' }, { reason: 'timeout' })

    const { rows } = await bg.query('select * from pg_background_stats_v2()')

    expect(rows).toMatchObject([
      {
        workers_launched: '5',
        workers_completed: '1',
        workers_failed: '1',
        workers_canceled: '1',
        workers_timed_out: '1',
        workers_active: 0,
        avg_execution_ms: expect.any(Number),
      },
    ])
    expect(
      (await bg.query('select * from pg_background_error_info($1)', [bad.id])).rows,
    ).toMatchObject([{ sqlstate: '22012', message: 'no' }])
    expect(await ask('select pg_background_error_info($1)', ok.id)).toBeNull()
    expect(await ask('select pg_background_full_sql($1)', ok.id)).toBe('ok')
    expect(
      (await bg.query('select * from pg_background_result_info($1)', [ok.id])).rows,
    ).toMatchObject([{ completed: true, has_error: false, finished_at: expect.any(Date) }])
  })
})

describe('a worker that is lost', () => {
  test('leaves no task running for ever: it is tried again, or has failed (C12, C13)', async ({
    launch,
    engine,
    ask,
    endOf,
  }) => {
    const again = await launch('select 1', 'retry_count => 1')
    const once = await launch('select 2')
    await engine.claim('pg_background', { limit: 2 })
    await engine.pass('1 hour')

    await engine.rescue()

    expect(await ask('select state from pg_background_tasks where id = $1', again)).toBe('retrying')
    expect(await endOf(once)).toMatchObject({
      state: 'failed',
      errors: expect.stringContaining('stopped renewing its lease'),
    })
  })
})

describe('rights', () => {
  test('to launch come with pgbackground_role; everybody sees tasks of their own (C17)', async ({
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

  test("keep a reader's own functions away from the tasks of others", async ({
    bg,
    session,
    launch,
  }) => {
    const name = `eve_${process.hrtime.bigint()}`
    await bg.query(`create role ${name}; grant create on schema public to ${name}`)
    await bg.query('select pg_background_grant_privileges($1)', [name])
    await launch('select secret')
    const eve = await session()
    const heard: string[] = []
    eve.on('notice', ({ message }) => heard.push(message ?? ''))
    await eve.query(`set role ${name}; set client_min_messages to notice`)
    await eve.query(`create function public.${name}(text) returns boolean language plpgsql cost 0.0000001
      as $$ begin raise notice '%', $1; return true; end $$`)

    for (const [view, column] of [
      ['pg_background_tasks', 'sql_statement'],
      ['pg_background_list', 'sql_preview'],
    ])
      await eve.query(`select * from ${view} where public.${name}(${column})`)

    expect(heard).toEqual([])
    await eve.query('reset role')
    await bg.query(`drop owned by ${name}; drop role ${name}`)
  })

  test('to enqueue are not enough to hide tasks behind an error', async ({ bg, engine, launch }) => {
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
