import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

describe('normalize_schedule', () => {
  test('answers what the view will show once the schedule is set', async ({ engine }) => {
    const settings = {
      every: 'P1DT90M',
      starts_at: '2100-01-31 09:00',
      zone: 'Europe/Berlin',
    }

    const plan = await engine.normalizeSchedule(settings)

    await engine.setSchedule('report', { ...settings, task: { queue: 'reports' } })
    expect(await engine.schedule('report')).toMatchObject(plan)
    expect(plan).toEqual({
      cron: null,
      every: '1 day 01:30:00',
      at: null,
      zone: 'Europe/Berlin',
      drift: 'planned',
      anchor: new Date('2100-01-31T08:00:00Z'),
    })
  })

  test('reads a time in the zone of the settings', async ({ engine }) => {
    const settings = { at: '2100-12-24 18:00', zone: 'Europe/Berlin' }

    expect(await engine.normalizeSchedule(settings)).toMatchObject({
      at: new Date('2100-12-24T17:00:00Z'),
    })
  })

  test('rejects what could not be set, and sets nothing', async ({ engine }) => {
    await expect(engine.normalizeSchedule({ cron: '61 * * * *' })).rejects.toMatchObject({
      code: 'invalid_argument',
    })
    await engine.normalizeSchedule({ cron: '1 * * * *' })
    expect(await engine.schedules()).toEqual([])
  })
})
