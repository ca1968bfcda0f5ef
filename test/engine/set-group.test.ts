import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

describe('set_group', () => {
  test('limits what runs at once, in all queues together', async ({ engine }) => {
    await engine.setGroup('ada', { max_running: 1 })
    await engine.enqueue({ queue: 'mail', groups: ['ada'] })
    await engine.enqueue({ queue: 'post', groups: ['ada'] })

    expect(await engine.claim('mail')).toHaveLength(1)
    expect(await engine.claim('post')).toEqual([])
  })

  test('changes what is named, and leaves the rest as it is', async ({ engine }) => {
    await engine.setGroup('ada', { max_running: 4, weight: 2, gap: '1 second', gap_from: 'end' })

    await engine.setGroup('ada', { weight: 3, gap_from: null })

    expect(await engine.rows('select * from group_stats')).toMatchObject([
      { group_name: 'ada', max_running: 4, weight: 3, gap: { seconds: 1 }, gap_from: 'start' },
    ])
  })

  test('lets those in who waited, once a limit is lifted', async ({ engine }) => {
    await engine.setGroup('ada', { max_running: 1 })
    await engine.running({ groups: ['ada'] })
    const { id } = await engine.enqueue({ queue: 'mail', groups: ['ada'] })
    expect(await engine.claim('mail')).toEqual([])

    await engine.setGroup('ada', { max_running: null })

    expect(await engine.claimOne('mail')).toMatchObject({ id })
  })

  test('lets what runs above a lowered limit finish, and starts nothing new', async ({
    engine,
  }) => {
    const task = await engine.running({ groups: ['ada'] })
    await engine.running({ groups: ['ada'] })
    await engine.enqueue({ queue: 'mail', groups: ['ada'] })

    await engine.setGroup('ada', { max_running: 1 })
    await engine.complete(task)

    expect(await engine.claim('mail')).toEqual([])
    expect(await engine.rows('select running from group_stats')).toEqual([{ running: 1 }])
  })

  test('gives an unlimited group no limit', async ({ engine }) => {
    await engine.enqueueMany([
      { queue: 'mail', groups: ['new'] },
      { queue: 'mail', groups: ['new'] },
    ])

    expect(await engine.claim('mail', { limit: 5 })).toHaveLength(2)
  })

  test.for([
    ['a setting it does not know', { limit: 1 }, `unknown setting 'limit'`],
    ['a negative limit', { max_running: -1 }, 'max_running must not be negative'],
    ['a negative gap', { gap: '-1 second' }, 'gap must not be negative'],
    ['a gap from nowhere', { gap_from: 'middle' }, 'use start or end'],
    ['a rate of nothing', { rate: 0, rate_window: '1 minute' }, 'rate must be 1 or more'],
    ['a rate without its window', { rate: 5 }, 'rate and rate_window go together'],
    ['a window in months', { rate: 5, rate_window: '1 month' }, 'in days or less'],
    ['no weight', { weight: 0 }, 'weight must be 1 or more'],
    [
      'a number that is none',
      { max_running: 'few' },
      'invalid settings of group ada: max_running: invalid',
    ],
  ] as const)('refuses %s, and changes nothing', async ([, settings, message], { engine }) => {
    await expect(engine.setGroup('ada', settings)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(message),
      hint: expect.any(String),
    })

    expect(await engine.rows('select from group_stats')).toEqual([])
  })

  test.for(['', '@mail'])('refuses "%s" for a name', async (name, { engine }) => {
    await expect(engine.setGroup(name, {})).rejects.toMatchObject({
      code: 'invalid_argument',
      hint: expect.stringContaining('does not begin with @'),
    })
  })
})
