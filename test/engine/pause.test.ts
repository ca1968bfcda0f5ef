import { describe, expect } from 'vitest'
import { makeRole, test } from '../support/roles.ts'

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
    await engine.setQueue('mail', {})

    await engine.pause('mail')

    expect(await engine.claim('post')).toHaveLength(1)
  })

  test('goes on taking tasks in', async ({ engine }) => {
    await engine.setQueue('mail', {})
    await engine.pause('mail')

    expect(await engine.enqueue({ queue: 'mail' })).toMatchObject({ outcome: 'created' })
  })

  test('remembers since when, also when it is called twice', async ({ engine }) => {
    await engine.setQueue('mail', {})
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

describe('pause and resume', () => {
  test.for(['pause', 'resume'])(
    '%s refuses a queue that does not exist, and suggests one',
    async (verb, { engine }) => {
      await engine.enqueue({ queue: 'mail' })

      await expect(engine.rows(`select ${verb}('mial')`)).rejects.toMatchObject({
        code: 'queue_not_found',
        message: "there is no queue 'mial'",
        hint: `Did you mean mail? To create it, call set_queue('mial', '{}').`,
      })

      expect(await engine.rows(`select from queue where queue = 'mial'`)).toEqual([])
    },
  )

  test.for([
    ['settings', `select set_queue('mail', '{}')`],
    ['a task that is rolled up', `select enqueue('mail'), roll_up()`],
    ['a schedule', `select set_schedule('s', '{"task": {"queue": "mail"}, "every": "1 day"}')`],
    ['a grant', `select grant_queue('mail', current_user, '{operate}')`],
    ['a worker', `select register_worker('w', '{mail}', 1, 'h', 1, '1')`],
  ] as const)('knows a queue by %s', async ([, statement], { engine }) => {
    await engine.rows(statement)

    await engine.pause('mail')

    expect(await engine.value(`select paused_at from queue where queue = 'mail'`)).not.toBeNull()
  })

  test('suggests no queue that the caller may not operate', async ({ engine, db, as }) => {
    await engine.enqueue({ queue: 'secret' })
    const operator = await as(await makeRole(db, 'tusk_pauses', 'operator'))
    await engine.rows(`select grant_queue('secret', current_user, '{operate}')`)

    await expect(operator.pause('secrte')).rejects.toMatchObject({
      code: 'queue_not_found',
      hint: `To create it, call set_queue('secrte', '{}').`,
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
    await engine.setQueue('mail', {})

    await engine.resume('mail')

    expect(await engine.value('select paused_at from queue_stats')).toBeNull()
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
