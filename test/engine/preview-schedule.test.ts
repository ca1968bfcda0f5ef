import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'
import { plan } from '../support/schedules.ts'
import type { TestEngine } from '../support/test-engine.ts'

const berlin = { zone: 'Europe/Berlin' }

/** The local times, notes and times meant that settings would give from a time on. */
async function shown(
  engine: TestEngine,
  settings: Record<string, string>,
  from: string,
  count = 3,
): Promise<string[]> {
  const times = await engine.previewSchedule(settings, count, new Date(from))
  return times.map(({ local, note, meant }) =>
    note === null ? local : `${local} ${note}, ${meant}`,
  )
}

describe('preview_schedule', () => {
  test('shows the next times of a schedule, from now', async ({ engine }) => {
    const next = await plan(engine, { cron: '0 12 * * *', ...berlin })

    const times = await engine.previewSchedule('report', 2)

    expect(times).toMatchObject([
      { planned_at: next, local: expect.stringMatching(/ 12:00:00 \+0[12]:00$/) },
      { local: expect.stringMatching(/ 12:00:00 \+0[12]:00$/) },
    ])
  })

  test('shows what settings would give, and sets nothing', async ({ engine }) => {
    expect(
      await shown(engine, { cron: '0 9 * * MON', zone: 'America/New_York' }, '2026-11-16'),
    ).toEqual([
      'Mon 2026-11-16 09:00:00 -05:00',
      'Mon 2026-11-23 09:00:00 -05:00',
      'Mon 2026-11-30 09:00:00 -05:00',
    ])
    expect(await engine.schedules()).toEqual([])
  })

  test('notes where a time does not exist and is moved (F14)', async ({ engine }) => {
    expect(await shown(engine, { cron: '30 2 * * *', ...berlin }, '2027-03-27')).toEqual([
      'Sat 2027-03-27 02:30:00 +01:00',
      'Sun 2027-03-28 03:00:00 +02:00 moved, 02:30',
      'Mon 2027-03-29 02:30:00 +02:00',
    ])
    const lordHowe = { cron: '15 2 * * *', zone: 'Australia/Lord_Howe' }
    expect(await shown(engine, lordHowe, '2026-10-03T10:00Z', 1)).toEqual([
      'Sun 2026-10-04 02:30:00 +11:00 moved, 02:15',
    ])
  })

  test('does not call moved what is planned for the end of the gap', async ({ engine }) => {
    expect(await shown(engine, { cron: '0 3 * * *', ...berlin }, '2027-03-28T00:00Z', 1)).toEqual([
      'Sun 2027-03-28 03:00:00 +02:00',
    ])
    expect(await shown(engine, { cron: '0 * * * *', ...berlin }, '2027-03-28T00:00Z', 2)).toEqual([
      'Sun 2027-03-28 01:00:00 +01:00',
      'Sun 2027-03-28 03:00:00 +02:00',
    ])
  })

  test('notes which of two equal times is meant (F14)', async ({ engine }) => {
    expect(await shown(engine, { cron: '30 2 * * *', ...berlin }, '2026-10-25', 2)).toEqual([
      'Sun 2026-10-25 02:30:00 +02:00 first_of_two, 02:30',
      'Mon 2026-10-26 02:30:00 +01:00',
    ])
    expect(await shown(engine, { cron: '30 * * * *', ...berlin }, '2026-10-25T00:00Z', 3)).toEqual([
      'Sun 2026-10-25 02:30:00 +02:00 first_of_two, 02:30',
      'Sun 2026-10-25 02:30:00 +01:00 second_of_two, 02:30',
      'Sun 2026-10-25 03:30:00 +01:00',
    ])
  })

  test('notes it of intervals of days, too', async ({ engine }) => {
    const daily = { every: '1 day', starts_at: '2027-03-27 02:30', ...berlin }

    expect(await shown(engine, daily, '2027-03-27T00:00Z')).toEqual([
      'Sat 2027-03-27 02:30:00 +01:00',
      'Sun 2027-03-28 03:00:00 +02:00 moved, 02:30',
      'Mon 2027-03-29 02:30:00 +02:00',
    ])
  })

  test('ends with the schedule', async ({ engine }) => {
    expect(await shown(engine, { at: '2100-01-01' }, '2026-01-01')).toHaveLength(1)
    const until = { cron: '@daily', ends_at: '2026-01-02' }
    expect(await shown(engine, until, '2026-01-01', 10)).toHaveLength(2)
  })

  test.for([0, -1, 1_001])('refuses to show %i times', async (count, { engine }) => {
    await plan(engine)

    await expect(engine.previewSchedule('report', count)).rejects.toMatchObject({
      code: 'invalid_argument',
    })
  })

  test('refuses what set_schedule would refuse', async ({ engine }) => {
    await expect(shown(engine, { cron: '61 * * * *' }, '2026-01-01')).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('61'),
    })
    await expect(engine.previewSchedule('nothing', 3)).rejects.toMatchObject({
      code: 'schedule_not_found',
    })
  })
})
