import { describe, expect, test } from 'vitest'
import { perform, performBatch } from '../../../src/runners/handler/perform.ts'
import type { AnyTask } from '../../../src/tasks/define-task.ts'
import { message, outcomeOf, outcomes } from '../../support/outcomes.ts'

describe('a handler', () => {
  test('whose backoff throws is tried again by the ordinary one, and its own error is kept', async () => {
    const backoff = () => {
      throw new Error('no idea')
    }
    const run = () => Promise.reject(new Error('no paper'))

    const outcome = await outcomeOf({ run, backoff })

    expect(outcome).toMatchObject({ kind: 'failed', retry: true, delay: null })
    expect(JSON.parse((outcome as { error: string }).error)).toMatchObject({
      message: 'no paper',
      backoff_error: 'no idea',
    })
  })

  test('may return what only looks like a promise', async () => {
    // biome-ignore lint/suspicious/noThenProperty: that is the case.
    expect(await outcomeOf({ run: () => ({ if: 'late', then: 'call' }) })).toEqual({
      kind: 'done',
      output: '{"if":"late","then":"call"}',
    })
  })

  test.for([
    [
      'a then that throws',
      {
        // biome-ignore lint/suspicious/noThenProperty: that is the case.
        then: () => {
          throw new Error('broken')
        },
      },
    ],
    [
      'a then that cannot be read',
      Object.defineProperty({}, 'then', {
        get: () => {
          throw new Error('broken')
        },
      }),
    ],
  ])('has failed with %s', async ([, odd]) => {
    expect(await outcomeOf({ run: () => odd })).toMatchObject({
      kind: 'failed',
      retry: true,
      error: message('broken'),
    })
  })

  test('may throw what throws when it is looked at', async () => {
    const nasty = new Error('do not look')
    Object.defineProperty(nasty, 'message', {
      get: () => {
        throw nasty
      },
    })
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()

    expect(await outcomeOf({ run: () => Promise.reject(nasty) })).toMatchObject({
      kind: 'failed',
      retry: true,
      error: message('cannot be shown'),
    })
    expect(await outcomeOf({ run: () => Promise.reject(proxy) })).toMatchObject({
      kind: 'failed',
      retry: true,
    })
  })
})

describe('a task that must stop while its payload is prepared', () => {
  /** A schema that takes its time. */
  function slowSchema() {
    let finish = () => {}
    const checked = new Promise<{ value: unknown }>((done) => {
      finish = () => done({ value: 'checked' })
    })
    const schema: AnyTask['schema'] = {
      '~standard': { version: 1, vendor: 'test', validate: () => checked },
    }
    return { schema, finish }
  }

  test.for(['alone', 'in a batch'])('is never begun, %s', async (how) => {
    const { schema, finish } = slowSchema()
    const begun: unknown[] = []
    const { shown, stage, run, task } = outcomes({
      schema,
      run: (payload) => begun.push(payload),
    })
    const inBatch = { ...task, batch: { size: 1, run: async () => [begun.push('batch')] } }
    const held = run('1')
    const over = how === 'alone' ? perform(task, held, stage) : performBatch(inBatch, [held], stage)

    held.abort('shutdown')
    finish()
    await over

    expect(shown.get('1')).toEqual({ kind: 'released' })
    expect(begun).toEqual([])
  })

  test('is given up if that never ends, and its place is free', async () => {
    const { schema } = slowSchema()
    const { shown, stage, run, task } = outcomes({
      schema,
      batch: { size: 1, run: async () => [] },
    })
    const held = run('1')
    const over = performBatch(task, [held], stage)

    held.abort('timeout')
    await over

    expect(shown.get('1')).toMatchObject({ kind: 'failed', reason: 'timeout' })
  })
})
