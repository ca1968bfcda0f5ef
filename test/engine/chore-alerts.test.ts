import { describe, expect } from 'vitest'
import { candidates, card, lapse, renew, take } from '../support/chores.ts'
import { range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

/** Moves all that is known of the chore into the past. */
const age = (engine: TestEngine, by: string) =>
  engine.rows(
    `with aged as (
       update chores set registered_at = registered_at - $1::interval, acquired_at = acquired_at - $1::interval,
                         renewed_at = renewed_at - $1::interval, expires_at = expires_at - $1::interval
     )
     update chore_runs set last_run_at = last_run_at - $1::interval`,
    by,
  )

const alerts = (engine: TestEngine) =>
  engine.rows<{ chore: string; alert: string }>('select chore, alert from chore_alert')

const tell = (engine: TestEngine, worker: string) =>
  engine.reportChores(worker, [
    {
      chore: 'tidy',
      runs: 1,
      processed: 3,
      errors: 0,
      ago_ms: 0,
      last_ms: 5,
      total_ms: 5,
      max_ms: 5,
    },
  ])

describe('an orphaned chore', () => {
  test('is one whose lease ran out three leases ago', async ({ engine }) => {
    await candidates(engine, 'ada')
    await take(engine, 'ada')
    await age(engine, '30 seconds')
    expect(await alerts(engine)).toEqual([])

    await age(engine, '11 seconds')
    expect(await alerts(engine)).toEqual([{ chore: 'tidy', alert: 'orphaned' }])
  })

  test('is one that no worker ever led', async ({ engine }) => {
    await candidates(engine, 'ada')
    expect(await alerts(engine)).toEqual([])

    await age(engine, '31 seconds')
    expect(await alerts(engine)).toEqual([{ chore: 'tidy', alert: 'orphaned' }])
  })

  test('is one that was given up and not taken again', async ({ engine }) => {
    await candidates(engine, 'ada')
    await take(engine, 'ada')
    await engine.releaseChores('ada', [{ chore: 'tidy', term: 1n }], 'shutdown')
    expect(await alerts(engine)).toEqual([])

    await age(engine, '31 seconds')
    expect(await alerts(engine)).toEqual([{ chore: 'tidy', alert: 'orphaned' }])
    await take(engine, 'ada')
    expect(await alerts(engine)).toEqual([])
  })

  test('is one whose advisory lock no session holds', async ({ engine, connect }) => {
    await candidates(engine, 'ada')
    await engine.registerChores('ada', [{ ...card, strategy: 'advisory' }], true)
    const session = engine.on(await connect())
    await session.lockChore('ada', 'tidy')
    await age(engine, '31 seconds')
    expect((await alerts(engine)).filter(({ alert }) => alert === 'orphaned')).toEqual([])

    await session.rows('select pg_advisory_unlock_all()')
    expect(await alerts(engine)).toEqual([{ chore: 'tidy', alert: 'orphaned' }])
  })
})

describe('a stalled chore', () => {
  test('is one whose leader renews but does not run it', async ({ engine }) => {
    await candidates(engine, 'ada')
    await take(engine, 'ada')
    await tell(engine, 'ada')
    await age(engine, '1 second')
    expect(await renew(engine, 'ada', 1n)).toBe(1n)
    expect(await alerts(engine)).toEqual([])

    await age(engine, '5 seconds')
    await renew(engine, 'ada', 1n)
    expect(await alerts(engine)).toEqual([{ chore: 'tidy', alert: 'stalled' }])
    await tell(engine, 'ada')
    expect(await alerts(engine)).toEqual([])
  })

  test('is not one whose healthy leader has led for hours', async ({ engine }) => {
    await candidates(engine, 'ada')
    await take(engine, 'ada')
    await engine.rows(
      `update chores set acquired_at = acquired_at - interval '6 hours', registered_at = registered_at - interval '6 hours'`,
    )
    await tell(engine, 'ada')

    expect(await alerts(engine)).toEqual([])
    expect(await engine.value(`select leads_for >= interval '6 hours' from leader`)).toBe(true)
  })

  test('is one that all workers share and none does', async ({ engine }) => {
    await candidates(engine, 'ada')
    await engine.registerChores('ada', [{ ...card, strategy: 'skip-locked' }], true)
    await tell(engine, 'ada')
    expect(await engine.rows('select worker, strategy from leader')).toEqual([
      { worker: 'ada', strategy: 'skip-locked' },
    ])
    expect(await alerts(engine)).toEqual([])

    await age(engine, '10 minutes')
    expect(await alerts(engine)).toEqual([{ chore: 'tidy', alert: 'stalled' }])
    expect(await engine.rows('select * from leader')).toEqual([])
  })
})

describe('a flapping chore', () => {
  test('is one whose leaders fail again and again', async ({ engine }) => {
    await candidates(engine, 'ada', 'bob')
    for (const n of range(6)) {
      await take(engine, n % 2 === 0 ? 'ada' : 'bob')
      await lapse(engine)
    }
    expect(await alerts(engine)).toEqual([])

    await take(engine, 'ada')
    expect(await alerts(engine)).toEqual([{ chore: 'tidy', alert: 'flapping' }])
    await engine.rows(`update terms set ended_at = ended_at - interval '11 minutes'`)
    expect(await alerts(engine)).toEqual([])
  })

  test('is not one that rotates, resigns, or loses its workers in order', async ({ engine }) => {
    await candidates(engine, 'ada', 'bob')
    const ends = ['rotation', 'resign', 'shutdown'] as const
    for (const n of range(12)) {
      const term = await take(engine, 'ada')
      await engine.releaseChores('ada', [{ chore: 'tidy', term }], ends[n % 3] ?? 'rotation')
      await engine.rows('update chores set rest_until = null')
    }
    await take(engine, 'ada')

    expect(await engine.value('select max(term)::int from terms')).toBe(13)
    expect(await alerts(engine)).toEqual([])
  })
})

describe('the health of a chore', () => {
  test('is summed over all workers, also those that are gone', async ({ engine }) => {
    await candidates(engine, 'ada', 'bob')
    await tell(engine, 'ada')
    await tell(engine, 'ada')
    await engine.reportChores('bob', [
      {
        chore: 'tidy',
        runs: 2,
        processed: 4,
        errors: 1,
        ago_ms: 0,
        error_ago_ms: 0,
        error: { message: 'no broom' },
        last_ms: 20,
        total_ms: 30,
        max_ms: 25,
      },
    ])
    const health = `select runs, processed, errors, last_error, average_ms, longest_ms from chore_stats`
    const expected = {
      runs: '4',
      processed: '10',
      errors: '1',
      last_error: { message: 'no broom' },
      average_ms: 10,
      longest_ms: 25,
    }
    expect(await engine.rows(health)).toEqual([expected])

    await engine.forgetWorkers(['ada', 'bob'])
    await age(engine, '2 minutes')
    await engine.runChore('forget_workers')
    await engine.runChore('forget_workers')

    expect(await engine.rows('select worker from chore_runs')).toEqual([{ worker: '' }])
    expect(await engine.rows(health)).toEqual([expected])
  })

  test('does not know of chores that no worker registered', async ({ engine }) => {
    await tell(engine, 'ada')

    expect(await engine.rows('select * from chore_runs')).toEqual([])
  })

  test('is forgotten a day after the last worker that knew the chore', async ({ engine }) => {
    await candidates(engine, 'ada')
    await take(engine, 'ada')
    await tell(engine, 'ada')
    await age(engine, '2 days')
    await engine.sweep()
    expect(await engine.rows('select name from chores')).toEqual([{ name: 'tidy' }])

    await engine.forgetWorkers(['ada'])
    await engine.sweep()
    expect(await engine.rows('select name from chores')).toEqual([])
    expect(await engine.rows('select * from chore_runs')).toEqual([])
  })

  test.for(['killed', 'stopped'])(
    'goes on with its terms when it comes back after its leader was %s',
    async (how, { engine }) => {
      await candidates(engine, 'ada')
      await take(engine, 'ada')
      expect(await take(engine, 'ada')).toBe(2n)
      if (how === 'stopped')
        await engine.releaseChores('ada', [{ chore: 'tidy', term: 2n }], 'shutdown')
      await engine.forgetWorkers(['ada'])
      await age(engine, '2 days')
      await engine.rows(
        `update terms set acquired_at = acquired_at - interval '2 days', ended_at = ended_at - interval '2 days'`,
      )
      await engine.sweep()
      expect(await engine.rows('select name from chores')).toEqual([])

      await candidates(engine, 'bob')

      expect(await take(engine, 'bob')).toBe(3n)
      expect(await engine.rows('select term, worker from terms order by term')).toEqual([
        { term: '2', worker: 'ada' },
        { term: '3', worker: 'bob' },
      ])
    },
  )
})
