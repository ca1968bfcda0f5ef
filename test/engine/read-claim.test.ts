import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

describe('read_claim', () => {
  test('tells the queue of a claim, who holds it and until when', async ({ engine }) => {
    const { claim, lease_expires_at } = await engine.running({ queue: 'mail' }, { worker: 'w1' })

    const rows = await engine.rows('select * from read_claim($1)', claim)

    expect(rows).toEqual([{ queue: 'mail', worker: 'w1', expires_at: lease_expires_at }])
    expect(await engine.queueOfClaim(claim)).toBe('mail')
  })

  test('knows nothing of a claim that is over, or never was', async ({ engine }) => {
    const task = await engine.running()
    await engine.complete(task)

    expect(await engine.queueOfClaim(task.claim)).toBeNull()
    expect(await engine.queueOfClaim('999999')).toBeNull()
  })
})

describe('claim by handler', () => {
  test('takes only what the handlers named can run', async ({ engine }) => {
    await engine.enqueueMany([
      { queue: 'media', handler: 'resize' },
      { queue: 'media', handler: 'transcode', version: 7 },
      { queue: 'media', kind: 'document' },
    ])

    const resized = await engine.claim('media', { limit: 9, handlers: ['resize'] })
    const both = await engine.claim('media', {
      limit: 9,
      handlers: ['transcode'],
      kinds: ['handler', 'document'],
    })

    expect(resized).toMatchObject([{ handler: 'resize' }])
    expect(both).toMatchObject([{ handler: 'transcode' }, { kind: 'document' }])
  })
})

test('failMany tells what became of each, and leaves out what was lost', async ({ engine }) => {
  await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }, { queue: 'mail' }])
  const [a, b, c] = await engine.claim('mail', { limit: 3 })
  if (a === undefined || b === undefined || c === undefined) throw new Error('three were enqueued')
  await engine.cancel(c.id)

  const ended = await engine.failMany([
    { ...a, error: { message: 'no' }, delay: '1 hour' },
    { ...b, retry: false, reason: 'timeout' },
    c,
  ])

  expect(ended).toMatchObject([
    { id: a.id, state: 'queued', run_at: expect.any(Date) },
    { id: b.id, state: 'failed', run_at: null },
  ])
})
