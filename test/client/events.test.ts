import { describe, expect } from 'vitest'
import { test } from '../support/client.ts'

describe('tusk.events', () => {
  test('hears what happens, from where it began and without a gap', async ({ tusk }) => {
    await tusk.enqueueTask({ queue: 'before' })
    const { after, until } = await tusk.events.follow('1 minute')
    expect(until.getTime()).toBeGreaterThan(Date.now())

    const { id } = await tusk.enqueueTask({ queue: 'mail' })
    await tusk.tasks.cancel(id)
    const events = await tusk.events.list({ after })

    expect(events).toMatchObject([
      { event: 'enqueue', task: id, queue: 'mail', at: expect.any(Date) },
      { event: 'cancel', task: id },
    ])
    expect(await tusk.events.list({ after: events.at(-1)?.id })).toEqual([])
  })
})
