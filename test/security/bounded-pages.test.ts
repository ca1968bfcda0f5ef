import { describe, expect } from 'vitest'
import { test } from '../support/http.ts'

const megabyte = 1_000_000

describe('a page of large tasks', () => {
  test('has at most 8 MB, and goes on where it was cut', async ({ engine, ask }) => {
    await engine.setQueue('mail', { max_payload: 10 * megabyte })
    const payloads = Array.from({ length: 30 }, (_, n) => ({ n, text: 'x'.repeat(megabyte) }))
    for (const payload of payloads) await engine.enqueue({ queue: 'mail', payload })

    const sizes: number[] = []
    const seen: number[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await ask.get(`/tasks?limit=1000${cursor === '' ? '' : `&cursor=${cursor}`}`)
      sizes.push(body.items.length)
      for (const { payload } of body.items) seen.push(payload.n)
      cursor = body.next_cursor
    }

    expect(sizes.slice(0, 3)).toEqual([8, 8, 8])
    expect(seen).toEqual(payloads.map(({ n }) => n).reverse())
  })

  test('counts outputs and errors of finished tasks as well', async ({ engine }) => {
    await engine.setQueue('mail', { max_payload: 10 * megabyte })
    const payload = { text: 'x'.repeat(3 * megabyte) }
    for (let n = 0; n < 4; n += 1) {
      const task = await engine.running({ queue: 'mail', payload })
      await engine.complete(task, JSON.stringify('y'.repeat(900_000)))
    }

    const page = await engine.pageTasks({ queue: 'mail' })

    expect(page.tasks).toHaveLength(2)
    expect(page.next).toBe(page.tasks.at(-1)?.id)
  })

  test('has one task at the least, however large', async ({ engine }) => {
    await engine.setQueue('mail', { max_payload: 20 * megabyte })
    const payload = { text: 'x'.repeat(9 * megabyte) }
    await engine.enqueue({ queue: 'mail', payload })
    await engine.enqueue({ queue: 'mail', payload })

    const first = await engine.pageTasks({ queue: 'mail' })
    const second = await engine.pageTasks({ queue: 'mail' }, { before: first.next ?? undefined })

    expect([first.tasks.length, second.tasks.length]).toEqual([1, 1])
    expect([first.next, second.next]).toEqual([first.tasks[0]?.id, null])
  })

  test('of small tasks is as long as you ask for', async ({ engine }) => {
    await engine.enqueueMany(
      Array.from({ length: 1_000 }, (_, n) => ({ queue: 'mail', payload: n })),
    )

    expect((await engine.pageTasks({ queue: 'mail' }, { limit: 1_000 })).tasks).toHaveLength(1_000)
  })

  test('does not slow an operation down', async ({ engine }) => {
    await engine.setQueue('mail', { max_payload: 10 * megabyte })
    const payload = { text: 'x'.repeat(5 * megabyte) }
    for (let n = 0; n < 4; n += 1) await engine.enqueue({ queue: 'mail', payload })
    const id = await engine.startOperation('cancel', { queue: 'mail' })

    expect(await engine.rows('select * from advance_operation($1)', id)).toMatchObject([
      { state: 'done', matched: '4' },
    ])
  })
})
