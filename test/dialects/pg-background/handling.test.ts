import { describe, expect } from 'vitest'
import { until } from '../../support/until.ts'
import { test } from './background.ts'

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
  test('leaves no task running for ever: it is tried again, also without retries', async ({
    launch,
    engine,
    bg,
    endOf,
  }) => {
    const once = await launch('select 1')
    await launch('select 2', 'retry_count => 1')
    await engine.claim('pg_background', { limit: 2 })
    await engine.pass('1 hour')

    await engine.rescue()

    const { rows } = await bg.query('select state, errors from pg_background_tasks')
    expect(rows).toEqual(
      Array(2).fill({ state: 'retrying', errors: expect.stringContaining('its lease') }),
    )
    // Errors are still the end of it.
    const again = await engine.claim('pg_background', { limit: 2 })
    for (const task of again) await engine.fail(task, { message: 'no', code: '22012' })
    expect(await endOf(once)).toMatchObject({ state: 'failed', errors: 'no' })
  })

  test('for good ends the task, in words', async ({ launch, engine, endOf }) => {
    const id = await launch('select 1')
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await engine.claimOne('pg_background')
      await engine.pass('1 hour')
      await engine.rescue()
    }

    expect(await endOf(id)).toMatchObject({
      state: 'failed',
      errors: expect.stringContaining('its lease'),
    })
  })
})
