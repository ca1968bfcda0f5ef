import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

describe('release', () => {
  test('puts a running task back as if it had not been claimed', async ({ engine }) => {
    const task = await engine.running()

    expect(await engine.release([task])).toEqual([task.id])

    expect(await engine.task(task.id)).toMatchObject({
      state: 'ready',
      attempt: 0,
      iteration: 0,
      claim: null,
      run_at: task.run_at,
    })
    expect(await engine.rows('select from attempt')).toEqual([])
    expect(await engine.rows('select from claims')).toEqual([])
  })

  test('keeps its place before what came later', async ({ engine }) => {
    const first = await engine.running()
    await engine.enqueue({ queue: 'mail' })

    await engine.release([first])

    expect(await engine.claimOne('mail')).toMatchObject({ id: first.id, attempt: 1 })
  })

  test('gives back only the attempt that was not used', async ({ engine }) => {
    await engine.fail(await engine.running(), null, { delay: '0' })
    const second = await engine.claimOne('mail')

    await engine.release([second])

    expect(await engine.claimOne('mail')).toMatchObject({ id: second.id, attempt: 2 })
  })

  test.for(['queued', 'done', 'failed', 'cancelled', 'gone'] as const)(
    'leaves out a task that is %s, and releases the others',
    async (state, { engine }) => {
      const lost = await engine.inState(state)
      const before = await engine.task(lost.id)
      const held = await engine.running({ queue: 'post' })

      expect(await engine.release([lost, held])).toEqual([held.id])

      expect(await engine.task(lost.id)).toEqual(before)
    },
  )

  test('refuses tasks without their claims', async ({ engine }) => {
    await expect(engine.rows(`select release('{1,2}', '{1}')`)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: 'each task needs the claim that holds it',
    })
  })
})
