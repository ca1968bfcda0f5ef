import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

describe('complete_many', () => {
  test('finishes a batch, each with its own output', async ({ engine }) => {
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }])
    const batch = await engine.claim('mail', { limit: 2 })

    const completed = await engine.completeMany(batch, ['one', { two: 2 }])

    expect(completed.sort()).toEqual(batch.map(({ id }) => id).sort())
    expect(await engine.rows('select state, output from task order by id')).toEqual([
      { state: 'done', output: 'one' },
      { state: 'done', output: { two: 2 } },
    ])
    expect(await engine.rows('select from claims')).toEqual([])
  })

  test('finishes tasks of several claims and queues', async ({ engine }) => {
    const held = [await engine.running(), await engine.running({ queue: 'post' })]

    await engine.completeMany(held)

    expect(await engine.rows('select distinct state, output from task')).toEqual([
      { state: 'done', output: null },
    ])
  })

  test('takes part of a batch, and keeps the lease of the rest', async ({ engine }) => {
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }, { queue: 'mail' }])
    const batch = await engine.claim('mail', { limit: 3 })

    await engine.completeMany(batch.slice(0, 2))

    expect(await engine.rows('select open from claims')).toEqual([{ open: 1 }])
    expect(await engine.task(batch[2]?.id ?? '')).toMatchObject({ state: 'running' })
  })

  test.for(['queued', 'done', 'failed', 'cancelled', 'gone'] as const)(
    'leaves out a task that is %s, and finishes the others',
    async (state, { engine }) => {
      const lost = await engine.inState(state)
      const before = await engine.task(lost.id)
      const held = await engine.running({ queue: 'post' })

      expect(await engine.completeMany([lost, held])).toEqual([held.id])

      expect(await engine.task(lost.id)).toEqual(before)
    },
  )

  test('counts a task that is named twice once', async ({ engine }) => {
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }])
    const [task, other] = await engine.claim('mail', { limit: 2 })

    const completed = await engine.rows(
      'select * from complete_many($1, $2)',
      [task?.id, task?.id],
      [task?.claim, task?.claim],
    )

    expect(completed).toHaveLength(1)
    expect(await engine.task(other?.id ?? '')).toMatchObject({ state: 'running' })
  })

  test('refuses tasks without their claims', async ({ engine }) => {
    const { id } = await engine.inState('queued')

    await expect(
      engine.rows('select complete_many(array[$1::bigint], array[null::bigint])', id),
    ).rejects.toMatchObject({ code: 'invalid_argument', hint: expect.stringContaining('claim()') })

    expect(await engine.task(id)).toMatchObject({ state: 'ready' })
  })
})
