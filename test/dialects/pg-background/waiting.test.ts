import { describe, expect } from 'vitest'
import { until } from '../../support/until.ts'
import { test } from './background.ts'

describe('waiting', () => {
  test('tells whether the task ended in time', async ({ launch, workBackground, ask, session }) => {
    await workBackground()
    const holder = await session()
    await holder.query('select pg_advisory_lock(52)')
    const id = await launch('select pg_advisory_lock(52)')

    expect(await ask('select pg_background_wait($1, timeout_ms => 30)', id)).toBe(false)
    await holder.query('select pg_advisory_unlock(52)')
    expect(await ask('select pg_background_wait($1)', id)).toBe(true)
  })

  test('is refused for less than no time', async ({ launch, ask }) => {
    const id = await launch('select 1')

    await expect(ask(`select pg_background_wait($1, timeout_ms => -1)`, id)).rejects.toMatchObject({
      ...{ code: '22023', message: 'timeout_ms cannot be -1' },
    })
    await expect(
      ask(
        `select pg_background_drain(array[(pid, cookie)::pg_background_handle], -1) from pg_background_list`,
      ),
    ).rejects.toMatchObject({ code: '22023' })
  })

  test('is refused in the transaction that launched, also within a savepoint', async ({
    session,
  }) => {
    const client = await session()
    await client.query('begin; savepoint s')
    const { rows } = await client.query(`select pg_background_launch('select 1') as id`)
    await client.query('release savepoint s')

    await expect(client.query('select pg_background_wait($1)', [rows[0].id])).rejects.toMatchObject(
      {
        code: '55000',
        message: expect.stringContaining('this very transaction'),
        hint: expect.stringContaining('Commit first'),
      },
    )
  })

  test('is refused under a snapshot that never shows the end', async ({ session, launch }) => {
    const id = await launch('select 1')
    const client = await session()
    await client.query('begin isolation level repeatable read')

    await expect(client.query('select pg_background_wait($1)', [id])).rejects.toMatchObject({
      code: '25001',
      hint: expect.stringContaining('read committed'),
    })
  })

  test('for any of several gives the first to end, or null in time', async ({
    workBackground,
    ask,
    session,
  }) => {
    await workBackground()
    const holder = await session()
    await holder.query('select pg_advisory_lock(53)')
    const client = await session()
    const { rows } = await client.query(
      `select array[pg_background_launch_v2('select pg_advisory_lock(53)'), pg_background_launch_v2('select 1')] as handles`,
    )
    const [slow, quick] = [rows[0].handles.split('"')[1], rows[0].handles.split('"')[3]]

    expect(
      await ask(
        'select (pg_background_wait_any($1::pg_background_handle[]))::text',
        rows[0].handles,
      ),
    ).toBe(quick)
    expect(
      await ask(`select pg_background_wait_any(array[$1::pg_background_handle], 20)`, slow),
    ).toBeNull()
    await holder.query('select pg_advisory_unlock(53)')
  })

  test('for all of several gives an outcome each, in their order', async ({
    workBackground,
    bg,
    ask,
  }) => {
    await workBackground()
    const handles = await ask(
      `select array[pg_background_launch_v2('select 1', label => 'one'), pg_background_launch_v2('select 1/0'),
                    row(0, 0)::pg_background_handle]`,
    )

    const { rows } = await bg.query(
      'select * from pg_background_drain($1::pg_background_handle[])',
      [handles],
    )

    expect(rows).toMatchObject([
      {
        state: 'stopped',
        completed: true,
        has_error: false,
        command_tag: 'SELECT 1',
        label: 'one',
      },
      {
        state: 'error',
        completed: true,
        has_error: true,
        sqlstate: '22012',
        error_message: 'division by zero',
      },
      { pid: '0', state: null },
    ])
  })
})

describe('running in one call', () => {
  test('launches, commits, waits and tells the outcome', async ({ workBackground, bg }) => {
    await workBackground()

    const { rows } = await bg.query(`call pg_background_run('select 7', label => 'seven')`)

    expect(rows).toMatchObject([
      {
        state: 'stopped',
        completed: true,
        has_error: false,
        row_count: '1',
        command_tag: 'SELECT 1',
        timed_out: false,
      },
    ])
  })

  test('works whatever the search path of the caller is', async ({
    workBackground,
    session,
    dialect,
  }) => {
    await workBackground()
    const client = await session()
    await client.query(`set search_path to pg_catalog`)

    const { rows } = await client.query(
      `call ${dialect}.pg_background_run_query('select n from generate_series(1, 2) as n')`,
    )

    expect(rows).toEqual([{ result: [{ n: 1 }, { n: 2 }] }])
  })

  test('cancels the task when it takes too long', async ({ workBackground, bg, ask }) => {
    await workBackground()

    const { rows } = await bg.query(
      `call pg_background_run('select pg_sleep(60)', timeout_ms => 50)`,
    )

    expect(rows).toMatchObject([{ timed_out: true, state: 'canceled', sqlstate: '57014' }])
    expect(await ask('select workers_canceled from pg_background_stats()')).toBe('1')
  })

  test('raises the error of the task where rows are wanted', async ({ workBackground, bg }) => {
    await workBackground()

    await expect(bg.query(`call pg_background_run_query('select 1/0')`)).rejects.toMatchObject({
      code: '22012',
    })
  })

  test('is refused as a function, with the word CALL', async ({ bg }) => {
    await expect(bg.query(`select pg_background_run('select 1')`)).rejects.toMatchObject({
      hint: expect.stringContaining('CALL'),
    })
  })
})

describe('an outcome', () => {
  test('never raises, for any caller and any argument', async ({ bg }) => {
    const { rows } = await bg.query('select * from pg_background_outcome(404, 1)')

    expect(rows).toMatchObject([{ pid: '404', cookie: '1', state: null, completed: null }])
  })
})

describe('progress', () => {
  test('is seen while the task runs, though its transaction is open', async ({
    launch,
    workBackground,
    ask,
    session,
    endOf,
  }) => {
    await workBackground()
    const holder = await session()
    await holder.query('select pg_advisory_lock(54)')

    const id = await launch(
      `select pg_background_report_progress(40, 'nearly half'); select pg_advisory_lock(54)`,
    )

    await until(() =>
      ask(
        `select pg_background_get_progress($1) = row(40, 'nearly half')::pg_background_progress_info`,
        id,
      ),
    )
    await holder.query('select pg_advisory_unlock(54)')
    expect(await endOf(id)).toMatchObject({ state: 'finished' })
  })

  test('outside a task is only a message', async ({ session }) => {
    const client = await session()
    const heard: string[] = []
    client.on('notice', ({ message }) => heard.push(message ?? ''))

    await client.query(`select pg_background_progress(140, 'done')`)

    expect(heard).toEqual(['100%: done'])
  })
})
