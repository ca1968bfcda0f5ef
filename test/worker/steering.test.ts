import { describe, expect } from 'vitest'
import { failForGood, kill, reject, reschedule } from '../../src/tasks/steering.ts'
import { until } from '../support/until.ts'
import { test } from '../support/worker.ts'

const later = new Date(Date.now() + 3_600_000)

describe('a task is left as its handler says', () => {
  test('with an output', async ({ engine, work, allDone }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    await work({ tasks: { mail: async () => ({ sent: true }) } })
    await allDone()

    expect(await engine.task(id)).toMatchObject({ state: 'done', output: { sent: true } })
  })

  test('with another attempt later, when it throws', async ({ engine, work }) => {
    const { id } = await engine.enqueue({
      queue: 'mail',
      backoff: { kind: 'fixed', base: '1 hour' },
    })
    await work({ tasks: { mail: () => Promise.reject(new Error('no paper')) } })
    await until(async () => (await engine.task(id))?.state === 'retrying')

    const [attempt] = await engine.rows('select reason, error, worker from attempt')
    expect(attempt).toMatchObject({
      reason: 'error',
      error: { name: 'Error', message: 'no paper', stack: expect.any(String) },
      worker: expect.any(String),
    })
  })

  test('with a delay of its own making', async ({ engine, work }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    await work({
      tasks: [{ name: 'mail', backoff: () => '2 days', run: () => Promise.reject('busy') }],
    })
    await until(async () => (await engine.task(id))?.state === 'retrying')

    const days = 'select round(extract(epoch from run_at - now()) / 86400)::int from tasks'
    expect(await engine.value(days)).toBe(2)
  })

  test.for([
    [
      'rescheduled',
      reschedule(later, { page: 2 }),
      { state: 'scheduled', iteration: 1, run_at: later, payload: { page: 2 } },
    ],
    ['rejected', reject('not now', { delay: '1 hour' }), { state: 'retrying', attempt: 1 }],
    ['killed', kill('never'), { state: 'failed', reason: 'killed', error: { message: 'never' } }],
    ['failed for good', failForGood('hopeless'), { state: 'failed', reason: 'error', attempt: 1 }],
  ] as const)('%s', async ([, steered, becomes], { engine, work }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    await work({ tasks: { mail: () => steered } })
    await until(async () => !['ready', 'running'].includes((await engine.task(id))?.state ?? ''))

    expect(await engine.task(id)).toMatchObject(becomes)
  })
})

describe('what cannot be stored', () => {
  test('fails its task alone, among others that end at the same time', async ({
    engine,
    work,
    allDone,
  }) => {
    const tasks = [1, 2, 3].map((n) => ({ queue: 'mail', payload: n }))
    const [, second] = await engine.enqueueMany(tasks)
    await work({ tasks: { mail: (n: number) => (n === 2 ? 'a\0b' : n) } })
    await allDone()

    expect(await engine.task(second?.id ?? '')).toMatchObject({
      state: 'failed',
      attempt: 1,
      error: { code: 'output_not_storable' },
    })
    expect(
      await engine.value(`select coalesce(sum(size), 0)::int from finished where state = 'done'`),
    ).toBe(2)
  })

  test('in a new payload fails the task instead of the worker', async ({
    engine,
    work,
    allDone,
  }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    await work({ tasks: { mail: () => reschedule(later, 'x'.repeat(300_000)) } })
    await allDone()

    expect(await engine.task(id)).toMatchObject({
      state: 'failed',
      error: { code: 'not_rescheduled' },
    })
  })

  test('as a delay is left out, and the backoff decides', async ({ engine, work }) => {
    const { id } = await engine.enqueue({
      queue: 'mail',
      backoff: { kind: 'fixed', base: '1 hour' },
    })
    await work({
      tasks: [{ name: 'mail', backoff: () => 'tomorrow-ish', run: () => Promise.reject('no') }],
    })
    await until(async () => (await engine.task(id))?.state === 'retrying')

    expect(await engine.task(id)).toMatchObject({ attempt: 1 })
  })
})

describe('a payload of the wrong shape', () => {
  test('fails its task for good, and the handler never sees it', async ({
    engine,
    work,
    allDone,
  }) => {
    const seen: unknown[] = []
    const { id } = await engine.enqueue({ queue: 'mail', payload: { to: 1 } })
    const validate = () => ({ issues: [{ message: 'must be text', path: ['to'] }] })
    await work({
      tasks: [
        {
          name: 'mail',
          schema: { '~standard': { version: 1, vendor: 'test', validate } },
          run: (payload: unknown) => seen.push(payload),
        },
      ],
    })
    await allDone()

    expect(await engine.task(id)).toMatchObject({
      state: 'failed',
      attempt: 1,
      error: { code: 'invalid_payload', message: 'payload.to: must be text' },
    })
    expect(seen).toEqual([])
  })
})

describe('versions', () => {
  test('beyond what a handler takes are left to others; older ones are lifted', async ({
    engine,
    work,
  }) => {
    const [older, newer] = await engine.enqueueMany([
      { queue: 'mail', version: 1, payload: 'old' },
      { queue: 'mail', version: 3, payload: 'new' },
    ])
    await work({
      tasks: [
        {
          name: 'mail',
          version: 2,
          lift: { 1: (text) => `${text} lifted` },
          run: (text: string) => text,
        },
      ],
    })
    await until(async () => (await engine.task(older?.id ?? ''))?.state === 'done')

    expect(await engine.task(older?.id ?? '')).toMatchObject({ output: 'old lifted' })
    expect(await engine.task(newer?.id ?? '')).toMatchObject({ state: 'ready', attempt: 0 })
  })
})
