import { describe, expect } from 'vitest'
import type { NewTask } from '../../src/engine/task.ts'
import { test } from '../support/engine.ts'

const past = new Date(0)

/** Invalid tasks, and what is said about each. */
const faults: [string, Partial<Record<keyof NewTask, unknown>>, string][] = [
  ['no queue', { queue: '' }, 'it has no queue'],
  ['the queue *', { queue: '*' }, 'not be *'],
  ['a queue that begins with @', { queue: '@mail' }, 'not begin with @'],
  ['a queue with too long a name', { queue: 'q'.repeat(201) }, 'at most 200 characters'],
  ['a kind it does not know', { kind: 'magic' }, 'use sql, handler or document'],
  ['a handler without a name', { handler: '' }, 'its handler has no name'],
  ['a negative version', { version: -1 }, 'version -1 is negative'],
  ['a deadline that is over', { deadline: past }, 'over before it may run'],
  ['an empty key', { key: '' }, 'a key has 1 to 500 characters'],
  ['a key that is too long', { key: 'k'.repeat(501) }, 'a key has 1 to 500 characters'],
  ['another way with duplicates', { key: 'k', onDuplicate: 'merge' }, 'use keep, replace'],
  ['duplicates without a key', { onDuplicate: 'keep' }, 'on_duplicate needs a key'],
  ['a throttle without a window', { key: 'k', onDuplicate: 'throttle' }, 'needs a window'],
  ['no attempts', { maxAttempts: 0 }, 'max_attempts must be 1 or more'],
  ['no room', { maxRunning: 0 }, 'max_running must be 1 or more'],
  ['no time', { timeout: '0' }, 'timeout must be longer than 0'],
  ['a negative retention', { retention: '-1 day' }, 'retention must not be negative'],
  ['a retention beyond the calendar', { retention: '290000 years' }, '1000 years or less'],
  [
    'a window beyond the calendar',
    { key: 'k', onDuplicate: 'throttle', window: '290000 years' },
    'window must be 1000 years or less',
  ],
  [
    'a backoff beyond the calendar',
    { backoff: { kind: 'fixed', base: '290000 years' } },
    '1000 years or less',
  ],
  [
    'a cap beyond the calendar',
    { backoff: { kind: 'exponential', cap: '290000 years' } },
    '1000 years or less',
  ],
  ['a group without a name', { groups: [''] }, 'one of its groups has an empty name'],
  ['a group that begins with @', { groups: ['a', '@b'] }, 'may not begin with @'],
  ['too many groups', { groups: [...'abcdefghijk'] }, 'more than 10 groups'],
  ['a backoff it does not know', { backoff: { kind: 'magic' } }, 'backoff kind magic'],
]

describe('enqueue refuses', () => {
  test.for(faults)('%s', async ([, fault, message], { engine }) => {
    const task = { queue: 'mail', ...fault } as NewTask

    await expect(engine.enqueue(task)).rejects.toMatchObject({
      name: 'TuskError',
      code: 'invalid_argument',
      message: expect.stringContaining(message),
      hint: expect.any(String),
    })
  })
})

describe('a bulk with one bad task', () => {
  test.for(faults)('stores nothing and names it: %s', async ([, fault, message], { engine }) => {
    const bad = { queue: 'mail', ...fault } as NewTask
    const good: NewTask = { queue: 'mail', key: 'good', groups: ['g'] }

    const bulk = engine.enqueueMany([good, bad, { ...good, key: 'other' }])

    await expect(bulk).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringMatching(/^task 2 of 3 cannot be enqueued: /),
    })
    await expect(bulk).rejects.toThrow(message)
    for (const table of ['tasks', 'keys']) {
      expect(await engine.rows(`select from ${table}`)).toEqual([])
    }
  })
})

describe('a refusal', () => {
  test('reaches SQL users as a SQLSTATE with a message and a hint', async ({ db }) => {
    await expect(db.query('select complete(7, 8)')).rejects.toMatchObject({
      code: 'TK002',
      message: 'there is no task 7',
      hint: expect.stringContaining('It never existed'),
    })
  })

  test('tells a lost lease from a task that never was', async ({ engine }) => {
    const task = await engine.inState('queued')

    await expect(engine.complete(task)).rejects.toMatchObject({
      code: 'lease_lost',
      message: `claim ${task.claim} no longer holds task ${task.id}`,
      hint: expect.stringContaining('drop the result'),
    })
  })

  test.for([
    ['register_worker', `register_worker('w', null, 1, 'h', 1, '1')`],
    ['register_worker', `register_worker('w', '{mail}', null, null, null, null)`],
    ['sleep', `sleep(null, '{mail}')`],
    ['sleep', `sleep('w', '{mail}', null)`],
    ['sleep', `sleep('w', '{mail,null}')`],
    ['claim', `claim(null)`],
    ['extend', `extend('{1}', null)`],
    ['enqueue', `enqueue(null)`],
    ['enqueue', `enqueue('mail', null)`],
    ['enqueue', `enqueue('mail', p_run_at => 'infinity')`],
    ['enqueue', `enqueue('mail', p_groups => '{a,null}')`],
    ['enqueue', `enqueue('mail', p_groups => '{{a},{b}}')`],
    ['enqueue', `enqueue('mail', p_backoff => '{"kind": "none", "jitter": "1e999"}')`],
    ['set_group', `set_group(repeat('g', 2001), '{"weight": 2}')`],
    ['enqueue_many', `enqueue_many(null::jsonb)`],
    ['enqueue_many', `enqueue_many('{mail,null}', array['{}', '{}']::jsonb[])`],
    ['enqueue_many', `enqueue_many('{mail}', array['{}']::jsonb[], p_groups => '{"{a"}')`],
    ['set_queue', `set_queue(null, '{}')`],
    ['set_queue', `set_queue('mail', null)`],
    ['set_group', `set_group(null, '{}')`],
    ['pause_group', `pause_group(null)`],
    ['move', `move(1, null)`],
    ['rescue', `rescue(-1)`],
    ['rescue_queue', `rescue_queue('mail', -1)`],
    ['expire', `expire(-1)`],
    ['sweep', `sweep(-1)`],
    ['roll_up', `roll_up(-1)`],
    ['read_events', `read_events(p_limit => -1)`],
  ] as const)('is the engine’s own for what %s cannot take: %s', async ([, call], { engine }) => {
    await expect(engine.rows(`select * from ${call}`)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.any(String),
      hint: expect.any(String),
    })
  })

  // Stored or counted on, it would raise for ever after: no task could end, or none be claimed.
  test.for([
    ['claim', `claim('mail', p_lease => '290000 years')`],
    ['extend', `extend('{1}', '290000 years')`],
    ['fail', `fail(1, 1, p_delay => '290000 years')`],
    ['fail', `fail(1, 1, p_delay => '-290000 years')`],
    ['fail_many', `fail_many('{1}', '{1}', p_delays => '{290000 years}')`],
    ['reject', `reject(1, 1, p_delay => '290000 years')`],
    ['sleep', `sleep('w', '{mail}', '290000 years')`],
    ['watch', `watch(1, '290000 years')`],
    ['forget_workers', `forget_workers(p_silent => '10000 years')`],
    ['set_queue', `set_queue('mail', '{"keep_done": "290000 years"}')`],
    ['set_queue', `set_queue('mail', '{"gap": "290000 years"}')`],
    ['set_queue', `set_queue('mail', '{"backoff": {"kind": "fixed", "base": "290000 years"}}')`],
    ['set_group', `set_group('g', '{"rate": 1, "rate_window": "100000000 days"}')`],
  ] as const)('keeps %s from leading beyond the calendar: %s', async ([, call], { engine }) => {
    await expect(engine.rows(`select * from ${call}`)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringMatching(/beyond the calendar|1000 years or less/),
      hint: expect.any(String),
    })
  })
})
