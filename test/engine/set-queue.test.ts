import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

describe('set_queue', () => {
  test('changes what is named, and leaves the rest as it is', async ({ engine }) => {
    await engine.setQueue('mail', { max_attempts: 2, keep_done: '1 hour' })

    await engine.setQueue('mail', { max_attempts: 3 })

    await engine.complete(await engine.running())
    expect(
      await engine.rows(`select keep_until - finished_at = '1 hour' as kept from task`),
    ).toEqual([{ kept: true }])
    expect(await engine.running()).toMatchObject({ max_attempts: 3 })
  })

  test('puts the default back for null', async ({ engine }) => {
    await engine.setQueue('mail', { max_attempts: 2 })

    await engine.setQueue('mail', { max_attempts: null })

    expect(await engine.running()).toMatchObject({ max_attempts: 5 })
  })

  test('has claims tell the timeout of the queue for tasks without one', async ({ engine }) => {
    await engine.setQueue('*', { timeout: '1 hour' })
    await engine.setQueue('mail', { timeout: '1 minute' })

    expect(await engine.running()).toMatchObject({ timeout: '00:01:00' })
    expect(await engine.running({ timeout: '2 seconds' })).toMatchObject({ timeout: '00:00:02' })
    expect(await engine.running({ queue: 'print' })).toMatchObject({ timeout: '01:00:00' })
  })

  test.for([
    [{ timeout: '0 seconds' }, 'timeout must be longer than 0'],
    [{ sql_max_rows: -1 }, 'sql_max_rows must be a number from 0 to 1000000'],
    [{ sql_max_bytes: 20_000_000 }, 'sql_max_bytes must be a number from 0 to 15000000'],
  ] as const)('refuses %j', async ([settings, message], { engine }) => {
    await expect(engine.setQueue('mail', settings)).rejects.toThrow(message)
  })

  test('puts a yes or no back to no for null', async ({ engine }) => {
    await engine.setQueue('mail', { keeps_keys: true, records_events: true, is_fair: true })

    await engine.setQueue('mail', { keeps_keys: null, records_events: null, is_fair: null })

    expect(
      await engine.rows(`select keeps_keys, records_events, is_fair from queues where name <> '*'`),
    ).toEqual([{ keeps_keys: false, records_events: false, is_fair: false }])
  })

  test('changes the defaults of all queues through the queue *', async ({ engine }) => {
    await engine.setQueue('own', { max_attempts: 9 })

    await engine.setQueue('*', { max_attempts: 2 })

    expect(await engine.running()).toMatchObject({ max_attempts: 2 })
    expect(await engine.running({ queue: 'own' })).toMatchObject({ max_attempts: 9 })
  })

  test('limits what runs at once in a queue, counting what already runs', async ({ engine }) => {
    await engine.running()
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }])

    await engine.setQueue('mail', { max_running: 2 })

    expect(await engine.claim('mail', { limit: 5 })).toHaveLength(1)
    expect(await engine.claim('mail', { limit: 5 })).toEqual([])
  })

  test('lifts a limit with null', async ({ engine }) => {
    await engine.setQueue('mail', { max_running: 0 })
    await engine.enqueue({ queue: 'mail' })
    expect(await engine.claim('mail')).toEqual([])

    await engine.setQueue('mail', { max_running: null })

    expect(await engine.claim('mail')).toHaveLength(1)
  })

  test('keeps a gap between two starts', async ({ engine }) => {
    await engine.setQueue('mail', { gap: '1 minute' })
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }])
    expect(await engine.claim('mail', { limit: 5 })).toHaveLength(1)

    expect(await engine.claim('mail', { limit: 5 })).toEqual([])

    await engine.pass('61 seconds')
    expect(await engine.claim('mail', { limit: 5 })).toHaveLength(1)
  })

  test('holds tasks in a queue of any name', async ({ engine }) => {
    const name = `e-mail "out", 'it''s' %s $1 ünïcode`

    await engine.setQueue(name, { max_running: 1 })

    await engine.enqueueMany([{ queue: name }, { queue: name }])
    expect(await engine.claim(name, { limit: 5 })).toHaveLength(1)
  })

  test.for([
    ['a setting it does not know', { max_runing: 1 }, `unknown setting 'max_runing'`],
    ['no attempts', { max_attempts: 0 }, 'max_attempts must be 1 or more'],
    ['no payload', { max_payload: 0 }, 'max_payload must be 1 byte or more'],
    ['a negative retention', { keep_done: '-1 day' }, 'keep_done, keep_failed and'],
    ['a number that is none', { max_attempts: 'many' }, 'max_attempts: invalid'],
    ['a number too large', { max_attempts: 99_999_999_999 }, 'max_attempts: value'],
    ['a time that is none', { keep_done: 'long' }, 'keep_done: invalid'],
    ['another end for the lost', { on_lost: 'weep' }, 'use retry or fail'],
    ['a backoff it does not know', { backoff: { kind: 'magic' } }, 'backoff kind magic is unknown'],
    ['a yes that is none', { is_fair: 'perhaps' }, 'is_fair: invalid'],
    ['a limit that is none', { gap: '1 second', max_running: 'few' }, 'max_running: invalid'],
    ['a negative limit', { max_running: -1 }, 'max_running must not be negative'],
    ['a rate without its window', { rate: 5 }, 'rate and rate_window go together'],
  ] as const)('refuses %s, and changes nothing', async ([, settings, message], { engine }) => {
    const before = await engine.rows('select * from queues')

    await expect(engine.setQueue('mail', settings)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(message),
      hint: expect.any(String),
    })

    expect(await engine.rows('select * from queues')).toEqual(before)
  })

  test.for([
    ['a rule', { max_attempts: 0 }],
    ['a limit', { max_running: -1 }],
  ] as const)('names the queue when it refuses %s', async ([, settings], { engine }) => {
    await expect(engine.setQueue('mail', settings)).rejects.toMatchObject({
      message: expect.stringMatching(/^invalid settings of queue mail: max_/),
    })
  })

  test.for([
    ['a limit', { max_running: 1 }],
    ['fairness', { is_fair: true }],
    ['kept keys', { keeps_keys: true }],
    ['events', { records_events: true }],
    ['nothing at all', { max_attempts: null }],
  ] as const)('refuses %s as a default of all queues', async ([, settings], { engine }) => {
    await expect(engine.setQueue('*', settings)).rejects.toMatchObject({
      code: 'invalid_argument',
      hint: expect.any(String),
    })
  })

  test('refuses settings that are not an object', async ({ engine }) => {
    await expect(engine.setQueue('mail', [1])).rejects.toMatchObject({
      code: 'invalid_argument',
      message: 'settings must be a JSON object',
    })
  })
})
