import { describe, expect } from 'vitest'
import { test } from '../support/http.ts'
import type { TestEngine } from '../support/test-engine.ts'

/** A task with failed attempts whose errors have so many characters; the first is the oldest. */
async function failed(engine: TestEngine, sizes: readonly number[]): Promise<string> {
  const { id } = await engine.enqueue({ queue: 'mail', maxAttempts: 1_000 })
  for (const size of sizes) {
    const task = await engine.claimOne('mail')
    await engine.fail(task, { message: 'x'.repeat(size) }, { delay: '0' })
  }
  return id
}

const large = 1_000_000

describe('the attempts of a task over HTTP', () => {
  test('come in pages of at most 8 MB, each once', async ({ engine, ask }) => {
    const id = await failed(engine, Array<number>(11).fill(large))

    const first = await ask.get(`/tasks/${id}/attempts`)
    const second = await ask.get(`/tasks/${id}/attempts?cursor=${first.body.next_cursor}`)

    expect(numbersOf(first)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(first.headers.get('link')).toContain(`cursor=${first.body.next_cursor}`)
    expect(numbersOf(second)).toEqual([9, 10, 11])
    expect(second.body.next_cursor).toBeNull()
  })

  test('come with the newest first if you say so', async ({ engine, ask }) => {
    const id = await failed(engine, [1, 1, 1, 1, 1])
    const path = `/tasks/${id}/attempts?order=newest&limit=2`

    const first = await ask.get(path)
    const second = await ask.get(`${path}&cursor=${first.body.next_cursor}`)
    const third = await ask.get(`${path}&cursor=${second.body.next_cursor}`)

    expect([first, second, third].map(numbersOf)).toEqual([[5, 4], [3, 2], [1]])
    expect(third.body.next_cursor).toBeNull()
  })

  test('have no next page when they fill the last one', async ({ engine, ask }) => {
    const id = await failed(engine, [1, 1])

    expect((await ask.get(`/tasks/${id}/attempts?limit=2`)).body.next_cursor).toBeNull()
  })

  test('come one at a time when each is too large', async ({ engine }) => {
    const id = await failed(engine, [1, 1])
    await engine.rows(
      `update attempts set error = to_jsonb(repeat('x', 9 * 1000 * 1000)) where task = $1`,
      id,
    )

    const first = await engine.pageAttempts(id)
    const second = await engine.pageAttempts(id, { after: first.next ?? undefined })

    expect([first.attempts.length, second.attempts.length]).toEqual([1, 1])
    expect(second.next).toBeNull()
  })

  test('cannot be read from a place that is none', async ({ engine, ask }) => {
    const id = await failed(engine, [1])
    const cursor = Buffer.from('nowhere').toString('base64url')

    expect((await ask.get(`/tasks/${id}/attempts?cursor=${cursor}`)).status).toBe(422)
  })
})

function numbersOf({ body }: { body: { items: { attempt: number }[] } }): number[] {
  return body.items.map(({ attempt }) => attempt)
}
