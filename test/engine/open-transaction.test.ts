import { describe, expect } from 'vitest'
import { faultsIn } from '../support/books.ts'
import { member, range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'

// An operator calls a verb in a transaction and leaves it open. Whatever waits for it fails here,
// because the others are set to wait for no lock longer than a few seconds.

const patience = `set lock_timeout = '5s'`

/** Each verb on a task that runs, waits or has ended, or on what the task belongs to. */
const verbs = [
  ['cancel', 'select cancel($1)', 'running'],
  ['kill_running', 'select kill_running($1)', 'running'],
  ['amend', `select amend($1, '{"payload": {"changed": true}}')`, 'running'],
  ['delete', 'select delete($1)', 'running'],
  ['cancel of a task that waits', 'select cancel($1)', 'queued'],
  ['move', `select move($1, '2100-01-01Z')`, 'queued'],
  ['amend of a task that waits', `select amend($1, '{"run_at": "2100-01-01Z"}')`, 'queued'],
  ['retry', 'select retry($1)', 'ended'],
  ['pause', `select pause('mail'), $1::bigint`, 'running'],
  ['set_queue', `select set_queue('mail', '{"max_attempts": 7}'), $1::bigint`, 'running'],
  ['set_group', `select set_group('g', '{"max_running": 50}'), $1::bigint`, 'running'],
  ['pause_group', `select pause_group('g'), $1::bigint`, 'running'],
  ['set_group of a new group', `select set_group('new', '{"weight": 2}'), $1::bigint`, 'running'],
  ['drain_worker', `select drain_worker('w'), $1::bigint`, 'running'],
  ['lock_for_edit', `select lock_for_edit('group', 'g'), $1::bigint`, 'running'],
] as const

describe('a transaction that an operator leaves open', () => {
  test.for(verbs)(
    'holds up no heartbeat, rescue or claim: %s',
    async ([, verb, state], { engine, connect }) => {
      await engine.rows(`select register_worker('w', array['mail'], 1, 'host', 1, '1')`)
      const ended = await engine.running()
      await engine.complete(ended)
      // Two lots of a task with the group that the operator holds, and one without: one lot is dead.
      const lot = [
        { queue: 'mail', groups: ['g'], key: 'k1', maxAttempts: 1 },
        { queue: 'mail', groups: ['new'] },
        { queue: 'mail' },
      ]
      await engine.enqueueMany(lot.map(({ key: _, ...task }) => task))
      const dead = await engine.claim('mail', { limit: 3, worker: 'dead' })
      await engine.pass('1 hour')
      await engine.enqueueMany(lot)
      const held = await engine.claim('mail', { limit: 3, worker: 'w' })
      const waiting = await engine.enqueueMany([
        { queue: 'mail', groups: ['g'] },
        { queue: 'mail' },
        { queue: 'post' },
      ])
      const target = { running: held[0], queued: waiting[0], ended }[state]

      const operator = await member(engine, connect)
      await operator.rows('begin')
      await operator.rows(verb, target?.id)
      const worker = await member(engine, connect)
      await worker.rows(patience)

      const [beat] = await worker.rows<{ lost: string[]; draining: boolean }>(
        `select lost, draining from heartbeat('w', $1, $2, $1)`,
        held.map(({ id }) => id),
        held.map(({ claim }) => claim),
      )
      expect(beat).toEqual({ lost: [], draining: false })
      const rescued = (await worker.rescue()).map(({ id }) => id)
      expect(rescued).toContain(dead[2]?.id)
      const claimed = [
        ...(await worker.claim('post', { limit: 9 })),
        ...(await worker.claim('mail', { limit: 9 })),
      ].map(({ id }) => id)
      expect(claimed).toEqual(expect.arrayContaining([waiting[2]?.id, waiting[1]?.id]))
      await operator.rows('rollback')

      // What was passed over comes with the next round.
      const late = (await worker.rescue()).map(({ id }) => id)
      expect([...rescued, ...late].sort()).toEqual(dead.map(({ id }) => id).sort())
      expect(await faultsIn(engine)).toEqual([])
    },
  )

  test('holds up no claim of another queue while it sets the first limit of its own', async ({
    engine,
    connect,
  }) => {
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'post' }])
    const operator = await member(engine, connect)
    const worker = await member(engine, connect)
    await worker.rows(patience)

    await operator.rows('begin')
    await operator.setQueue('mail', { max_running: 1 })

    expect(await worker.claim('mail')).toEqual([])
    expect(await worker.claim('post')).toHaveLength(1)
    await operator.rows('commit')
    expect(await worker.claim('mail')).toHaveLength(1)
    expect(await faultsIn(engine)).toEqual([])
  })

  test('lets its siblings be completed that were claimed with the task it cancels', async ({
    engine,
    connect,
  }) => {
    // One by one: tasks of one call may share a row, which the operator would hold.
    for (const _ of range(10)) await engine.enqueue({ queue: 'mail' })
    const [target, ...others] = await engine.claim('mail', { limit: 10 })
    const operator = await member(engine, connect)
    const worker = await member(engine, connect)
    await worker.rows(patience)
    await operator.rows('begin')
    await operator.rows('select cancel($1)', target?.id)

    const [last, ...most] = others
    expect(await worker.completeMany(most)).toHaveLength(8)
    if (last !== undefined) await worker.complete(last)
    await operator.rows('commit')

    expect(await engine.rows('select from tasks')).toEqual([])
    await engine.rescue()
    expect(await engine.rows('select from claims')).toEqual([])
    expect(await engine.rows('select from lease_notes')).toEqual([])
  })
})

describe('a lease whose row another transaction holds', () => {
  test('is not taken from a holder that lives, however long that lasts', async ({
    engine,
    connect,
  }) => {
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }])
    const [target, other] = await engine.claim('mail', { limit: 2 })
    const operator = await member(engine, connect)
    await operator.rows('begin')
    await operator.rows('select cancel($1)', target?.id)

    expect(await engine.extend([target?.claim ?? ''], '1 hour')).toEqual([target?.claim])
    // Meanwhile the lease that stands in the row has run out.
    await operator.rows(`update claims set expires_at = clock_timestamp() - interval '1 minute'`)
    expect(await engine.rescue()).toEqual([])
    await operator.rows('commit')

    expect(await engine.rescue()).toEqual([])
    expect(
      await engine.value(
        `select expires_at > clock_timestamp() + interval '50 minutes' from claims`,
      ),
    ).toBe(true)
    if (other !== undefined) await engine.complete(other)
    expect(await engine.rows('select from claims')).toEqual([])
  })

  test('is over with the last renewal, for a holder that is dead', async ({ engine, connect }) => {
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }])
    const [target, other] = await engine.claim('mail', { limit: 2 })
    const operator = await member(engine, connect)
    await operator.rows('begin')
    await operator.rows('select cancel($1)', target?.id)
    await engine.extend([target?.claim ?? ''], '1 millisecond')
    await operator.rows(`update claims set expires_at = clock_timestamp() - interval '1 minute'`)

    expect(await engine.rescue()).toEqual([])
    await operator.rows('commit')

    expect(await engine.rescue()).toEqual([{ id: other?.id, state: 'queued' }])
    expect(await faultsIn(engine)).toEqual([])
  })
})
