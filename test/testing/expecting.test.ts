import { describe, expect, test } from 'vitest'
import { openHere } from '../support/testing.ts'

const tasks = {
  send_mail: async (_: { to: string; cc?: string[]; at?: Date }) => 'sent',
  tidy_up: () => {},
}

describe('enqueued', () => {
  test('gives what waits, in the order in which it came', async () => {
    await using here = await openHere(tasks)
    await here.tusk.enqueue('send_mail', { to: 'ada' }, { delay: '1 hour' })
    await here.tusk.enqueue('tidy_up', undefined, { tags: ['night'] })
    await here.tusk.enqueue('send_mail', { to: 'bob' }, { priority: 3 })

    const payloads = async (filter?: Parameters<typeof here.enqueued>[0]) =>
      (await here.enqueued(filter)).map(({ payload }) => payload)

    expect(await payloads()).toEqual([{ to: 'ada' }, {}, { to: 'bob' }])
    expect(await payloads({ name: 'send_mail' })).toEqual([{ to: 'ada' }, { to: 'bob' }])
    expect(await payloads({ tag: 'night' })).toEqual([{}])
    expect(await payloads({ priority: 3 })).toEqual([{ to: 'bob' }])
  })

  test('leaves out what has run', async () => {
    await using here = await openHere(tasks)
    await here.tusk.enqueue('tidy_up')

    await here.runAll()

    expect(await here.enqueued()).toEqual([])
  })
})

describe('expectEnqueued', () => {
  test('gives the task whose payload has at least these properties', async () => {
    await using here = await openHere(tasks)
    const at = new Date('2026-11-15T12:00:00Z')
    const { id } = await here.tusk.enqueue('send_mail', { to: 'ada', cc: ['bob'], at })

    const filter = { name: 'send_mail', payload: { cc: ['bob'], at } } as const

    expect(await here.expectEnqueued(filter)).toMatchObject({ id })
  })

  test('lists what was there when the task is not', async () => {
    await using here = await openHere(tasks)
    await here.tusk.enqueue('send_mail', { to: 'bob' }, { key: 'bob' })
    await here.tusk.enqueue('tidy_up', undefined, {
      queue: 'night',
      runAt: new Date('2999-01-01T00:00:00Z'),
    })

    const expecting = here.expectEnqueued({ name: 'send_mail', payload: { to: 'ada' } })

    await expect(expecting).rejects.toThrow(
      [
        "expected a task like { name: 'send_mail', payload: { to: 'ada' } } to be enqueued, but waiting are:",
        `  send_mail { to: 'bob' } (ready, key "bob")`,
        '  tidy_up in night {} (scheduled until 2999-01-01T00:00:00.000Z)',
      ].join('\n'),
    )
  })

  test('says so when nothing waits', async () => {
    await using here = await openHere(tasks)

    await expect(here.expectEnqueued({ name: 'tidy_up' })).rejects.toThrow(
      "expected a task like { name: 'tidy_up' } to be enqueued, but nothing is waiting",
    )
  })
})

describe('expectNothingEnqueued', () => {
  test('lists what waits all the same', async () => {
    await using here = await openHere(tasks)
    await here.tusk.enqueue('tidy_up')

    await here.expectNothingEnqueued({ name: 'send_mail' })
    await expect(here.expectNothingEnqueued()).rejects.toThrow(
      'expected nothing to be enqueued, but waiting is:\n  tidy_up {} (ready)',
    )
  })
})

describe('waitFor', () => {
  test('runs what is due until the task has ended', async () => {
    await using here = await openHere(tasks)
    await here.tusk.enqueue('tidy_up')
    const task = await here.tusk.enqueue('send_mail', { to: 'ada' })

    expect(await here.waitFor(task)).toMatchObject({ state: 'done', output: 'sent' })
    expect(await here.waitFor(task.id)).toMatchObject({ state: 'done' })
  })

  test('says what the task waits for when time must pass first', async () => {
    await using here = await openHere(tasks)
    const runAt = new Date('2999-01-01T00:00:00Z')
    const task = await here.tusk.enqueue('tidy_up', undefined, { runAt })

    await expect(here.waitFor(task)).rejects.toThrow(
      `task ${task.id} has not ended, and nothing else is due: it is scheduled until 2999-01-01T00:00:00.000Z; use pass()`,
    )
  })
})
