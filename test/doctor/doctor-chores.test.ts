import { describe, expect } from 'vitest'
import { test, well } from '../support/doctor.ts'

describe('the doctor, of schedules and chores,', () => {
  test('finds schedules that cannot fire, and those whose token was revoked', async ({
    engine,
    db,
    look,
  }) => {
    const plan = { task: { queue: 'reports' }, every: '1 hour' }
    for (const name of ['resting', 'a b', 'nightly']) await engine.setSchedule(name, plan)
    await engine.pauseSchedule('resting')
    expect(await look('schedules')).toEqual(well('schedules'))

    await db.query(`
      update schedules set paused_at = now(), pause_reason = 'token 7 (shop), which set it, was revoked'
      where name = 'a b'`)
    await db.query(
      `update schedules set error = '{"message": "no such role"}' where name = 'nightly'`,
    )

    expect(await look('schedules')).toMatchObject([
      {
        level: 'warning',
        message: 'The schedule nightly is failing: no such role.',
        details: { state: 'failing', schedules: ['nightly'] },
      },
      {
        level: 'warning',
        message: 'The schedule a b is paused: token 7 (shop), which set it, was revoked.',
        hint: 'If it is still wanted: tusk schedule resume "a b"',
      },
    ])
  })

  test('finds chores without a leader', async ({ engine, db, look }) => {
    expect(await look('chores')).toEqual(well('chores'))
    const times = { everyMs: 1_000, timeoutMs: 1_000, ttlMs: 1_000 }
    await engine.registerChores('w1', [{ name: 'sweep', strategy: 'lease', ...times }], true)
    await db.query(`update chores set registered_at = registered_at - interval '1 minute'`)

    expect(await look('chores')).toMatchObject([
      { level: 'problem', details: { chores: ['sweep'], alert: 'orphaned' } },
    ])
  })

  test('finds chores that change hands too often, and those that lie still', async ({
    engine,
    look,
  }) => {
    const times = { everyMs: 1_000, timeoutMs: 1_000, ttlMs: 60_000 }
    await engine.registerChores('w1', [{ name: 'sweep', strategy: 'lease', ...times }], true)
    await engine.leadChores('w1', [{ chore: 'sweep', term: null }])
    await engine.rows(`insert into terms (chore, term, worker, acquired_at, ended_at, how)
                       select 'sweep', 100 + n, 'w2', now(), now(), 'expired' from generate_series(1, 6) as n`)
    await engine.rows(`update chores set registered_at = now() - interval '1 hour',
                                         acquired_at = now() - interval '1 hour'`)

    expect(await look('chores')).toMatchObject([
      { level: 'warning', details: { chores: ['sweep'], alert: 'stalled' } },
      { level: 'warning', details: { chores: ['sweep'], alert: 'flapping' } },
    ])
  })
})
