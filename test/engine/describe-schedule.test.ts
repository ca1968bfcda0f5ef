import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

describe('describe_schedule', () => {
  test('says in words what the schedule will say once it is set', async ({ engine }) => {
    const settings = { cron: '30 2 * * *', zone: 'Europe/Berlin' }

    const words = await engine.describeSchedule(settings)

    await engine.setSchedule('report', { ...settings, task: { queue: 'reports' } })
    expect(words).toBe((await engine.schedule('report'))?.words)
    expect(words).not.toBe('')
  })

  test('refuses what could not be set', async ({ engine }) => {
    await expect(engine.describeSchedule({ cron: '61 * * * *' })).rejects.toMatchObject({
      code: 'invalid_argument',
    })
  })
})
