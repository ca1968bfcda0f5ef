import { describe, expect } from 'vitest'
import { defineTask } from '../../src/tasks/define-task.ts'
import { test } from '../support/client.ts'

const sendMail = defineTask({
  name: 'send_mail',
  queue: 'mail',
  version: 3,
  priority: 4,
  maxAttempts: 2,
  timeout: 1500,
  retention: '1 hour',
  run: async (payload: { to: string }) => payload.to,
})

describe('enqueue of a declared task', () => {
  test('takes what the definition says', async ({ open, engine }) => {
    const tusk = await open({ tasks: [sendMail] })

    const { id, outcome } = await tusk.enqueue('send_mail', { to: 'ada' })

    expect(outcome).toBe('created')
    expect(await engine.task(id)).toMatchObject({
      queue: 'mail',
      handler: 'send_mail',
      version: 3,
      priority: 4,
      max_attempts: 2,
      payload: { to: 'ada' },
    })
    expect(await engine.value('select timeout::text from tasks')).toBe('00:00:01.5')
    expect(await engine.value('select retention::text from tasks')).toBe('01:00:00')
  })

  test('takes every option instead', async ({ open, engine }) => {
    const tusk = await open({ tasks: [sendMail] })
    const runAt = new Date('2100-01-01T00:00:00Z')
    const deadline = new Date('2100-01-02T00:00:00Z')

    const { id } = await tusk.enqueue(
      'send_mail',
      { to: 'ada' },
      {
        queue: 'post',
        runAt,
        priority: 9,
        key: 'ada',
        groups: ['a', 'b'],
        tags: ['x "quoted"', 'y\\z'],
        version: 2,
        maxAttempts: 7,
        backoff: { kind: 'fixed', base: '2 seconds' },
        deadline,
        parent: '41',
        meta: { from: 'test' },
      },
    )

    expect(await engine.task(id)).toMatchObject({
      state: 'scheduled',
      queue: 'post',
      run_at: runAt,
      priority: 9,
      key: 'ada',
      groups: ['a', 'b'],
      tags: ['x "quoted"', 'y\\z'],
      version: 2,
      max_attempts: 7,
      deadline,
      parent: '41',
      meta: { from: 'test' },
    })
  })

  test('counts a delay by the clock of the database', async ({ open, engine }) => {
    const tusk = await open({ tasks: [sendMail] })

    await tusk.enqueue('send_mail', { to: 'ada' }, { delay: '1 hour' })
    await tusk.enqueue('send_mail', { to: 'bob' }, { delay: 3_600_000 })

    const late = await engine.rows(
      `select from tasks where run_at - created_at between interval '59 minutes' and interval '61 minutes'`,
    )
    expect(late).toHaveLength(2)
  })

  test('gives {} to a task that was enqueued without a payload', async ({ open, engine }) => {
    const tusk = await open({ tasks: { tidy_up: async () => {} } })

    const { id } = await tusk.enqueue('tidy_up')

    expect(await engine.task(id)).toMatchObject({ queue: 'tidy_up', payload: {} })
  })

  test('does not let an option that is undefined undo a default', async ({ open, engine }) => {
    const tusk = await open({ tasks: [sendMail] })

    const { id } = await tusk.enqueue('send_mail', { to: 'ada' }, { priority: undefined })

    expect(await engine.task(id)).toMatchObject({ priority: 4 })
  })

  test('tells what happened to a key that was taken', async ({ open, engine }) => {
    const tusk = await open({ tasks: [sendMail] })
    const keyed = (onDuplicate: 'keep' | 'replace' | 'debounce' | 'throttle', to: string) =>
      tusk.enqueue('send_mail', { to }, { key: 'k', onDuplicate, window: '1 minute' })

    const first = await keyed('keep', 'ada')
    const others = [
      await keyed('keep', 'bob'),
      await keyed('replace', 'cy'),
      await keyed('debounce', 'dee'),
    ]

    expect(others.map(({ outcome }) => outcome)).toEqual(['kept', 'replaced', 'debounced'])
    expect(others.map(({ id }) => id)).toEqual([first.id, first.id, first.id])
    expect(await engine.task(first.id)).toMatchObject({
      state: 'scheduled',
      payload: { to: 'dee' },
    })
  })

  test('refuses a name that was not declared, and tells which were', async ({ open }) => {
    const tusk = await open({ tasks: [sendMail] })

    // @ts-expect-error: no such task
    const refused = tusk.enqueue('send_mial', { to: 'ada' })

    await expect(refused).rejects.toMatchObject({
      code: 'invalid_argument',
      message: 'no task is named "send_mial"',
      hint: expect.stringContaining('send_mail'),
    })
  })

  test('refuses two tasks of one name', async ({ open }) => {
    await expect(open({ tasks: [sendMail, sendMail] })).rejects.toMatchObject({
      code: 'invalid_argument',
    })
  })
})

describe('enqueueMany', () => {
  test('stores all in the order given', async ({ open, engine }) => {
    const tusk = await open({ tasks: { a: async (_: { n: number }) => {}, b: async () => {} } })

    const handles = await tusk.enqueueMany([
      { name: 'a', payload: { n: 1 }, priority: 3 },
      { name: 'b' },
      { name: 'a', payload: { n: 2 }, key: 'k' },
    ])

    const tasks = await Promise.all(handles.map(({ id }) => engine.task(id)))
    expect(tasks).toMatchObject([
      { queue: 'a', payload: { n: 1 }, priority: 3 },
      { queue: 'b', payload: {} },
      { queue: 'a', payload: { n: 2 }, key: 'k' },
    ])
  })

  test('stores none if one cannot be stored', async ({ open, engine }) => {
    const tusk = await open({ tasks: { a: async (_: { n: number }) => {} } })

    const refused = tusk.enqueueMany([
      { name: 'a', payload: { n: 1 } },
      { name: 'a', payload: { n: 2 }, maxAttempts: 0 },
    ])

    await expect(refused).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('task 2 of 2'),
    })
    expect(await engine.rows('select from tasks')).toEqual([])
  })

  test('takes no tasks for an answer', async ({ tusk }) => {
    expect(await tusk.enqueueMany([])).toEqual([])
  })
})

describe('enqueueTask', () => {
  test('stores what no definition here describes', async ({ tusk, engine }) => {
    const { id } = await tusk.enqueueTask({ queue: 'docs', kind: 'document', payload: [1, null] })

    expect(await engine.task(id)).toMatchObject({
      queue: 'docs',
      kind: 'document',
      handler: null,
      payload: [1, null],
    })
  })

  test('stores many in one go', async ({ tusk, engine }) => {
    const tasks = Array.from({ length: 1_000 }, (_, payload) => ({ queue: 'mail', payload }))

    const handles = await tusk.enqueueTasks(tasks)

    expect(new Set(handles.map(({ id }) => id)).size).toBe(1_000)
    expect(await engine.value('select count(distinct created_at)::integer from task')).toBe(1)
  })

  test('refuses both a time and a delay', async ({ tusk }) => {
    const refused = tusk.enqueueTask({ queue: 'mail', runAt: new Date(), delay: '1 hour' })

    await expect(refused).rejects.toMatchObject({ code: 'invalid_argument' })
  })
})

describe('middleware', () => {
  test('may change the tasks, one or many', async ({ open, engine }) => {
    const tusk = await open({
      middleware: (tasks, next) => next(tasks.map((task) => ({ ...task, tags: ['seen'] }))),
    })

    await tusk.enqueueTask({ queue: 'mail' })
    await tusk.enqueueTasks([{ queue: 'mail' }, { queue: 'mail' }])

    expect(
      await engine.value(`select coalesce(sum(size), 0)::integer from tasks where tags = '{seen}'`),
    ).toBe(3)
  })

  test('may refuse', async ({ open, engine }) => {
    const tusk = await open({ middleware: () => Promise.reject(new Error('not today')) })

    await expect(tusk.enqueueTask({ queue: 'mail' })).rejects.toThrow('not today')
    expect(await engine.rows('select from tasks')).toEqual([])
  })
})
