import { describe, expect } from 'vitest'
import type { Enqueued } from '../../src/engine/task.ts'
import { test } from '../support/engine.ts'

const outcomes = (answers: Enqueued[]) => answers.map(({ outcome }) => outcome)

describe('enqueue_many of arrays', () => {
  test('answers in the order given', async ({ engine }) => {
    const answers = await engine.enqueueMany([
      { queue: 'b', priority: 1 },
      { queue: 'a', priority: 9 },
      { queue: 'c' },
    ])

    const stored = await engine.rows<{ queue: string }>(
      'select queue from unnest($1::bigint[]) with ordinality as given (id, place) join task using (id) order by place',
      answers.map(({ id }) => id),
    )
    expect(outcomes(answers)).toEqual(['created', 'created', 'created'])
    expect(stored.map(({ queue }) => queue)).toEqual(['b', 'a', 'c'])
  })

  test('takes no tasks for an answer', async ({ engine }) => {
    expect(await engine.rows(`select * from enqueue_many('{}', '{}'::jsonb[])`)).toEqual([])
  })

  test('holds ten thousand at once', async ({ engine }) => {
    const tasks = Array.from({ length: 10_000 }, (_, payload) => ({ queue: 'mail', payload }))

    const answers = await engine.enqueueMany(tasks)

    expect(new Set(answers.map(({ id }) => id)).size).toBe(10_000)
    expect(await engine.value('select sum(size)::integer from tasks')).toBe(10_000)
  })

  test('gives the default for what an array leaves out', async ({ engine }) => {
    const [plain, special] = await engine.enqueueMany([
      { queue: 'mail' },
      { queue: 'mail', priority: 4, handler: 'other', maxAttempts: 1 },
    ])

    expect(await engine.task(plain?.id ?? '')).toMatchObject({ priority: 0, max_attempts: 5 })
    expect(await engine.task(special?.id ?? '')).toMatchObject({ priority: 4, handler: 'other' })
  })

  test('finds a key twice in one bulk', async ({ engine }) => {
    const [first, second, other] = await engine.enqueueMany([
      { queue: 'mail', key: 'ada', payload: 1 },
      { queue: 'mail', key: 'ada', payload: 2, onDuplicate: 'replace' },
      { queue: 'mail', payload: 3 },
    ])

    expect(second).toEqual({ id: first?.id, outcome: 'replaced' })
    expect(other).toMatchObject({ outcome: 'created' })
    expect(await engine.rows('select payload from task order by payload')).toEqual([
      { payload: 2 },
      { payload: 3 },
    ])
  })

  test('tells new tasks from those whose key was taken', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', key: 'b' })

    const answers = await engine.enqueueMany([
      { queue: 'mail', key: 'a' },
      { queue: 'mail', key: 'b' },
      { queue: 'mail', key: 'c' },
    ])

    expect(outcomes(answers)).toEqual(['created', 'kept', 'created'])
    expect(answers[1]?.id).toBe(id)
    expect(await engine.value('select sum(size)::integer from tasks')).toBe(3)
  })

  test('refuses arrays of different lengths', async ({ engine }) => {
    const call = engine.rows(`select * from enqueue_many('{a,b}', array['{}']::jsonb[])`)

    await expect(call).rejects.toMatchObject({
      code: 'invalid_argument',
      message: 'each task needs a queue and a payload',
    })
  })
})

describe('enqueue_many of jsonb', () => {
  test('stores each object as a task', async ({ engine }) => {
    const tasks = [
      { queue: 'mail', payload: { to: 'ada' }, priority: 5, tags: ['x'], groups: ['g'] },
      { queue: 'post', handler: 'send', run_at: '2100-01-01T00:00:00Z', timeout: '1 minute' },
    ]

    const answers = await engine.rows<Enqueued>(
      'select * from enqueue_many($1::jsonb)',
      JSON.stringify(tasks),
    )

    expect(await engine.task(answers[0]?.id ?? '')).toMatchObject({ ...tasks[0] })
    expect(await engine.task(answers[1]?.id ?? '')).toMatchObject({
      state: 'scheduled',
      handler: 'send',
      payload: {},
      run_at: new Date('2100-01-01T00:00:00Z'),
    })
  })

  test('knows keys and what to do with duplicates', async ({ engine }) => {
    const one = { queue: 'mail', key: 'k', payload: 1 }
    const other = { ...one, payload: 2, on_duplicate: 'replace' }

    const answers = await engine.rows<Enqueued>(
      'select * from enqueue_many($1::jsonb)',
      JSON.stringify([one, other]),
    )

    expect(outcomes(answers)).toEqual(['created', 'replaced'])
    expect(await engine.value('select payload from task')).toBe(2)
  })

  test('takes an empty array for an answer', async ({ engine }) => {
    expect(await engine.rows(`select * from enqueue_many('[]'::jsonb)`)).toEqual([])
  })

  test.for([
    ['an object', '{"queue": "mail"}', 'enqueue_many needs an array of tasks'],
    ['a property it does not know', '[{"queue": "mail", "prio": 1}]', `a property 'prio'`],
    ['a task that is not an object', '[{"queue": "mail"}, 7]', 'task 2'],
    [
      'a time that is none',
      '[{"queue": "mail"}, {"queue": "mail", "run_at": "noon?"}]',
      'task 2 of 2',
    ],
    ['a number that is none', '[{"queue": "mail", "priority": 1.5}]', '1.5'],
  ] as const)('refuses %s', async ([, tasks, message], { engine }) => {
    const call = engine.rows('select * from enqueue_many($1::jsonb)', tasks)

    await expect(call).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(message),
      hint: expect.any(String),
    })
    expect(await engine.rows('select from tasks')).toEqual([])
  })
})
