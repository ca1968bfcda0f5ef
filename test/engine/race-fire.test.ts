import { describe, expect } from 'vitest'
import { all, crowd, range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import { plan } from '../support/schedules.ts'
import type { TestEngine } from '../support/test-engine.ts'

/** Planned times without a record, records without a task, tasks without a record, and duplicates. */
const books = `
  with planned as (
    select name as schedule, planned_at
    from schedules, generate_series(anchor + every, next_at - interval '1 microsecond', every) as planned_at
  )
  select
    (select count(*)::int from planned) as planned,
    (select count(*)::int from planned left join occurrences using (schedule, planned_at) where outcome is null) as gaps,
    (select count(*)::int from occurrences left join planned using (schedule, planned_at) where planned.schedule is null) as strays,
    (select count(*)::int from occurrences where outcome = 'fired' and not exists (select from tasks where id = task)) as without_task,
    (select coalesce(sum(size), 0)::int from tasks where not exists (select from occurrences where task = id)) as without_record,
    (select count(*)::int - count(distinct (meta ->> 'schedule', meta ->> 'planned_at'))::int from tasks) as twice`

const right = { gaps: 0, strays: 0, without_task: 0, without_record: 0, twice: 0 }

/** Calls fire() until nothing is due, as a leader does that believes to be the only one. */
async function lead(member: TestEngine): Promise<void> {
  for (;;) {
    const { next_in_ms } = await member.fire(3)
    if (next_in_ms === null || next_in_ms > 200) return
  }
}

type Part = (member: TestEngine, round: number) => Promise<unknown>

const fires: Part = (member) => member.fire(2)
const crashes: Part = async (member) => {
  await member.rows('begin')
  await member.fire(2)
  await member.rows('rollback')
}
const changes: Part = (member, round) =>
  plan(member, { jitter: `${round + 1} seconds` }, `schedule ${round}`)
const pauses: Part = async (member) => {
  await member.pauseSchedule('schedule 5')
  await member.resumeSchedule('schedule 5')
}
const roles: readonly Part[] = [crashes, crashes, crashes, changes, pauses]

describe('eight leaders at once', () => {
  test('record each planned time of a backlog once, with one task', async ({ engine, connect }) => {
    const settings = [
      { misfire: 'all', catch_up: 50, misfire_after: '1 second' },
      { misfire: 'once', misfire_after: '1 second' },
      { misfire_after: '1 hour' },
      { misfire: 'skip', misfire_after: '5 minutes' },
    ]
    for (const n of range(12)) await plan(engine, settings[n % 4], `schedule ${n}`)
    await engine.pass('1 hour 30 seconds')
    const members = await crowd(engine, connect, 8)

    await all(members, lead)

    const [found] = await engine.rows(books)
    expect(found).toMatchObject({ planned: 12 * 60, ...right })
    const counts = await engine.rows(
      `select misfire, count(*)::int as n from occurrence join schedules on name = schedule
       where outcome = 'fired' group by misfire, misfire_after order by n`,
    )
    // 'once' with an hour of patience fires all 60; 'skip' with five minutes the five that are late.
    expect(counts.map(({ n }) => n)).toEqual([3, 15, 150, 180])
  })

  test('lose nothing when some of them crash half way, or settings change', async ({
    engine,
    connect,
  }) => {
    for (const n of range(6)) await plan(engine, { misfire_after: '2 hours' }, `schedule ${n}`)
    await engine.pass('30 minutes 30 seconds')
    const members = await crowd(engine, connect, 8)

    await all(members, async (member, n) => {
      for (const round of range(5)) await (roles[n] ?? fires)(member, round)
      await lead(member)
    })

    expect(await engine.rows(books)).toMatchObject([{ planned: 6 * 30, ...right }])
  })
})
