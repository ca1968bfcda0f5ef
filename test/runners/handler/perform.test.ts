import { describe, expect, test } from 'vitest'
import { perform, performBatch } from '../../../src/runners/handler/perform.ts'
import type { AbortReason } from '../../../src/tasks/context.ts'
import type { AnyTask } from '../../../src/tasks/define-task.ts'
import { failForGood, kill, reject, reschedule } from '../../../src/tasks/steering.ts'
import { message, outcomeOf, outcomes } from '../../support/outcomes.ts'

describe('a handler', () => {
  test('that returns is done with what it returned', async () => {
    expect(await outcomeOf({ run: async () => ({ sent: 1 }) })).toEqual({
      kind: 'done',
      output: '{"sent":1}',
    })
  })

  test('that throws has failed, and may be tried again', async () => {
    const run = () => {
      throw new Error('no paper')
    }
    expect(await outcomeOf({ run })).toMatchObject({
      kind: 'failed',
      reason: 'error',
      retry: true,
      delay: null,
      error: message('no paper'),
    })
  })

  test('may have a backoff of its own making', async () => {
    const backoff = (attempt: number, error: unknown) => `${attempt * 7} seconds ${error}`
    const run = () => Promise.reject('busy')

    expect(await outcomeOf({ run, backoff }, { attempt: 2 })).toMatchObject({
      delay: '14 seconds busy',
    })
  })

  test.for([
    [reschedule(new Date(0), { page: 2 }), { kind: 'rescheduled', payload: '{"page":2}' }],
    [reject('not now', { delay: '1 hour' }), { kind: 'rejected', delay: '1 hour' }],
    [kill('never'), { kind: 'killed', error: '{"message":"never"}' }],
    [failForGood('hopeless'), { kind: 'failed', retry: false }],
  ] as const)('steers by returning or throwing $0.steering.steer', async ([steered, outcome]) => {
    expect(await outcomeOf({ run: () => steered })).toMatchObject(outcome)
    expect(await outcomeOf({ run: () => Promise.reject(steered) })).toMatchObject(outcome)
  })

  test('whose output cannot be stored has failed for good', async () => {
    expect(await outcomeOf({ run: () => 1n })).toMatchObject({
      kind: 'failed',
      retry: false,
      error: message('output_not_storable'),
    })
  })

  test('runs inside the middleware', async () => {
    const run = () => 'inner'
    const outcome = await outcomeOf(
      { run },
      { middleware: async ({ attempt }, next) => `${attempt} ${await next()}` },
    )
    expect(outcome).toEqual({ kind: 'done', output: '"1 inner"' })
  })
})

describe('a payload', () => {
  const numberSchema: AnyTask['schema'] = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value) =>
        typeof value === 'number'
          ? { value }
          : { issues: [{ message: 'is not a number', path: ['pages', { key: 0 }] }] },
    },
  }

  test('of the wrong shape fails its task for good and says where', async () => {
    expect(await outcomeOf({ schema: numberSchema, run: () => 'ran' })).toMatchObject({
      kind: 'failed',
      retry: false,
      error: message('payload.pages.0: is not a number'),
    })
  })

  test('of an older version is lifted, step by step, before it is checked', async () => {
    const lift = { 1: () => 10, 2: async (pages: unknown) => Number(pages) + 1 }
    const run = (pages: never) => pages

    expect(await outcomeOf({ version: 3, lift, schema: numberSchema, run })).toEqual({
      kind: 'done',
      output: '11',
    })
  })
})

describe('a handler whose signal aborted', () => {
  const cases = [
    ['timeout', 'obeys', { kind: 'failed', reason: 'timeout', retry: true }],
    ['timeout', 'returns', { kind: 'failed', reason: 'timeout' }],
    ['timeout', 'hangs', { kind: 'failed', reason: 'timeout' }],
    ['cancelled', 'obeys', { kind: 'dropped' }],
    ['cancelled', 'returns', { kind: 'dropped' }],
    ['lease_lost', 'obeys', { kind: 'released' }],
    ['lease_lost', 'returns', { kind: 'done' }],
    ['lease_lost', 'hangs', { kind: 'dropped' }],
    ['shutdown', 'obeys', { kind: 'released' }],
    ['shutdown', 'returns', { kind: 'done' }],
    ['shutdown', 'hangs', { kind: 'released' }],
    ['shutdown', 'fails', { kind: 'failed', reason: 'error' }],
  ] as const

  test.for(cases)('by %s and that %s', async ([reason, reaction, outcome]) => {
    const reactions: Record<typeof reaction, (signal: AbortSignal) => Promise<unknown>> = {
      obeys: (signal) =>
        new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason))),
      returns: (signal) =>
        new Promise((done) => signal.addEventListener('abort', () => done('late'))),
      hangs: () => new Promise(() => {}),
      fails: (signal) =>
        new Promise((_, fail) => signal.addEventListener('abort', () => fail(new Error('no')))),
    }
    const { shown, stage, run, task } = outcomes({
      run: (_payload, { signal }) => reactions[reaction](signal),
    })
    const started = run('1')
    const over = perform(task, started, stage)

    started.abort(reason as AbortReason)
    await over

    expect(shown.get('1')).toMatchObject(outcome)
  })
})

describe('a batch handler', () => {
  test('answers for each task', async () => {
    const { shown, stage, run, task } = outcomes({
      batch: {
        size: 3,
        run: async (batch) =>
          batch.map(({ payload }) => (payload === 'bad' ? new Error('bad') : `did ${payload}`)),
      },
    })

    await performBatch(task, [run('1', 'one'), run('2', 'bad'), run('3', 'three')], stage)

    expect(shown.get('1')).toEqual({ kind: 'done', output: '"did one"' })
    expect(shown.get('2')).toMatchObject({ kind: 'failed', error: message('bad') })
    expect(shown.get('3')).toEqual({ kind: 'done', output: '"did three"' })
  })

  test('that throws fails them all', async () => {
    const { shown, stage, run, task } = outcomes({
      batch: { size: 2, run: () => Promise.reject(new Error('down')) },
    })

    await performBatch(task, [run('1'), run('2')], stage)

    expect([...shown.values()]).toMatchObject([{ kind: 'failed' }, { kind: 'failed' }])
  })

  test('that forgets to answer for one fails with an error that says so', async () => {
    const { shown, stage, run, task } = outcomes({ batch: { size: 2, run: async () => [1] } })

    await performBatch(task, [run('1'), run('2')], stage)

    expect(shown.get('1')).toMatchObject({
      kind: 'failed',
      error: message('one answer per task'),
    })
  })
})
