import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

describe('pause', () => {
  test('keeps a queue from starting anything more', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })

    await engine.pause('mail')

    expect(await engine.claim('mail')).toEqual([])
    expect(await engine.task(id)).toMatchObject({ state: 'blocked' })
  })

  test('lets what runs go on to its end', async ({ engine }) => {
    const task = await engine.running()
    await engine.pause('mail')

    await engine.complete(task)

    expect(await engine.task(task.id)).toMatchObject({ state: 'done' })
  })

  test('leaves other queues alone', async ({ engine }) => {
    await engine.enqueue({ queue: 'post' })

    await engine.pause('mail')

    expect(await engine.claim('post')).toHaveLength(1)
  })

  test('goes on taking tasks in', async ({ engine }) => {
    await engine.pause('mail')

    expect(await engine.enqueue({ queue: 'mail' })).toMatchObject({ outcome: 'created' })
  })

  test('remembers since when, also when it is told twice', async ({ engine }) => {
    await engine.pause('mail')
    const since = await engine.value(`select paused_at from queue_stats where queue = 'mail'`)

    await engine.pause('mail')

    expect(await engine.value(`select paused_at from queue_stats`)).toEqual(since)
  })

  test.for([`''`, `'*'`, `'@mail'`, 'null'])('refuses %s for a queue', async (name, { engine }) => {
    await expect(engine.rows(`select pause(${name})`)).rejects.toMatchObject({
      code: 'invalid_argument',
      hint: expect.stringContaining('A name has 1 to 200 characters'),
    })
  })
})

describe('resume', () => {
  test('starts a paused queue again', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    await engine.pause('mail')

    await engine.resume('mail')

    expect(await engine.task(id)).toMatchObject({ state: 'ready' })
    expect(await engine.claimOne('mail')).toMatchObject({ id })
  })

  test('has nothing to do for a queue that is not paused', async ({ engine }) => {
    await engine.resume('mail')

    expect(await engine.rows('select from queue_stats')).toEqual([])
  })

  test('keeps the settings of the queue', async ({ engine }) => {
    await engine.setQueue('mail', { max_attempts: 2 })
    await engine.pause('mail')

    await engine.resume('mail')

    expect(await engine.running()).toMatchObject({ max_attempts: 2 })
  })
})

describe('pause_group', () => {
  test('keeps a group from starting in any queue, and no other', async ({ engine }) => {
    await engine.enqueue({ queue: 'mail', groups: ['ada'] })
    await engine.enqueue({ queue: 'post', groups: ['ada', 'bob'] })
    await engine.enqueue({ queue: 'post', groups: ['bob'], payload: 'free' })

    await engine.pauseGroup('ada')

    expect(await engine.claim('mail')).toEqual([])
    expect(await engine.claim('post', { limit: 5 })).toMatchObject([{ payload: 'free' }])
  })

  test('lets what runs go on to its end', async ({ engine }) => {
    const task = await engine.running({ groups: ['ada'] })
    await engine.pauseGroup('ada')

    await engine.complete(task)

    expect(await engine.task(task.id)).toMatchObject({ state: 'done' })
  })

  test('refuses a name that is a queue’s own', async ({ engine }) => {
    await expect(engine.pauseGroup('@mail')).rejects.toMatchObject({
      code: 'invalid_argument',
      hint: expect.any(String),
    })
  })
})

describe('resume_group', () => {
  test('starts a paused group again, also what had been refused', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', groups: ['ada'] })
    await engine.pauseGroup('ada')
    await engine.claim('mail')

    await engine.resumeGroup('ada')

    expect(await engine.claimOne('mail')).toMatchObject({ id })
  })
})
