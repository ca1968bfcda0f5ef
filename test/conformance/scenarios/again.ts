import { expect } from 'vitest'
import {
  expectFromNow,
  farAhead,
  keepRunning,
  longAgo,
  sampleNames,
  stored,
  without,
} from '../samples.ts'
import type { Scenario } from '../scenario.ts'
import { error, type WayBack, waysBack } from './ways-back.ts'

const keepsProperties = (way: WayBack): Scenario[] =>
  sampleNames.map((sample) => ({
    name: `${way.name} keeps every property of a ${sample} task`,
    about: [...way.about],
    run: async ({ engine }) => {
      const { id, row, task } = await keepRunning(engine, sample)
      await engine.rows('update tasks set started_at = clock_timestamp() where id = $1', id)
      await way.back(engine, task)
      const { attempt, iteration } = way
      const changed = way.keepsPlace ? [] : ['run_at']
      expect(without(await stored(engine, id), ...changed)).toEqual(
        without({ ...row, attempt, iteration }, ...changed),
      )
      expect(await engine.rows('select claim, started_at from tasks where id = $1', id)).toEqual([
        { claim: null, started_at: null },
      ])
    },
  }))

const isClaimedAgain = (way: WayBack): Scenario => ({
  name: `${way.name} lets the task be claimed again, and the old claim do nothing more`,
  about: ['lease', 'claim', ...way.about],
  run: async ({ engine }) => {
    const first = await engine.running()
    await way.back(engine, first)
    const again = await engine.claimOne('mail')
    expect(again).toMatchObject({
      id: first.id,
      attempt: way.attempt + 1,
      iteration: Number(way.iteration),
    })
    await expect(engine.complete(first)).rejects.toMatchObject({ code: 'lease_lost' })
    await engine.complete(again)
    expect(await engine.task(first.id)).toMatchObject({ state: 'done' })
  },
})

const givesUp = (way: WayBack): Scenario => ({
  name: `${way.name} closes the claim, and frees the slots in groups and queue`,
  about: ['lease', 'limit', ...way.about],
  run: async ({ engine }) => {
    await engine.setGroup('g', { max_running: 1 })
    await engine.setQueue('mail', { max_running: 1 })
    const task = await engine.running({ groups: ['g'] })
    await way.back(engine, task)
    expect(await engine.rows('select from claims')).toEqual([])
    expect(await engine.rows('select name, running from groups order by name')).toEqual([
      { name: '@mail', running: 0 },
      { name: 'g', running: 0 },
    ])
    expect(await engine.claim('mail')).toMatchObject([{ id: task.id }])
  },
})

const freesQueueSlot = (way: WayBack): Scenario => ({
  name: `${way.name} frees the slot of a task without groups in a queue with a limit`,
  about: ['limit', ...way.about],
  run: async ({ engine }) => {
    await engine.setQueue('mail', { max_running: 1 })
    const task = await engine.running()
    await way.back(engine, task)
    expect(await engine.value('select running from groups')).toBe(0)
    expect(await engine.claim('mail')).toMatchObject([{ id: task.id }])
  },
})

const keepsBatch = (way: WayBack): Scenario => ({
  name: `${way.name} leaves the rest of its batch with its holder`,
  about: ['lease', ...way.about],
  run: async ({ engine }) => {
    await engine.enqueue({ queue: 'mail' })
    await engine.enqueue({ queue: 'mail' })
    const [first, second] = await engine.claim('mail', { limit: 2 })
    if (first === undefined || second === undefined) throw new Error('two tasks were claimed')
    await way.back(engine, first)
    expect(await engine.rows('select open from claims')).toEqual([{ open: 1 }])
    await engine.complete(second)
    expect(await engine.rows('select from claims')).toEqual([])
  },
})

const keepsKey = (way: WayBack): Scenario => ({
  name: `${way.name} keeps the key`,
  about: ['key', ...way.about],
  run: async ({ engine }) => {
    const task = await engine.running({ key: 'k' })
    await way.back(engine, task)
    expect(await engine.enqueue({ queue: 'mail', key: 'k' })).toEqual({
      id: task.id,
      outcome: 'kept',
    })
  },
})

const counts = (way: WayBack): Scenario => ({
  name: `${way.name} counts the task, and records the attempt and an event`,
  about: ['count', 'event', ...way.about],
  run: async ({ engine }) => {
    await engine.setQueue('mail', { records_events: true })
    const task = await engine.running({ runAt: longAgo }, { worker: 'ada' })
    const began = await engine.value('select claimed_at from claims')
    await way.back(engine, task)
    expect(
      await engine.rows(
        'select sum(requeued)::int as requeued, sum(retried)::int as retried, sum(lost)::int as lost from deltas',
      ),
    ).toEqual([{ requeued: 1, retried: way.retried, lost: way.name === 'rescue' ? 1 : 0 }])
    // A task that is given back as if it had not been taken has not run.
    expect(
      await engine.rows('select due_ats, started_ats from deltas where due_ats is not null'),
    ).toEqual(way.name === 'release' ? [] : [{ due_ats: [longAgo], started_ats: [began] }])
    const events = await engine.rows<{ event: string }>('select event from events order by id')
    expect(events.map(({ event }) => event)).toEqual(['enqueue', 'claim', 'requeue'])
    expect(await engine.rows('select task, attempt, worker, reason from attempts')).toEqual(
      way.reason === null ? [] : [{ task: task.id, attempt: 1, worker: 'ada', reason: way.reason }],
    )
    expect(await engine.rows('select task, queue, reason from failures')).toEqual(
      way.reason === null ? [] : [{ task: task.id, queue: 'mail', reason: way.reason }],
    )
  },
})

const wakes = (way: WayBack): Scenario => ({
  name: `${way.name} wakes a worker that sleeps on the queue`,
  about: ['notify', ...way.about],
  run: async ({ engine, heard }) => {
    const task = await engine.running()
    await engine.rows(
      `insert into sleepers (queue, worker, until) values ('mail', 'w', clock_timestamp() + interval '1 hour')`,
    )
    await way.back(engine, task)
    expect(await heard('ready')).toEqual(['mail'])
  },
})

export const again: readonly Scenario[] = [
  ...waysBack.flatMap((way) => [
    ...keepsProperties(way),
    isClaimedAgain(way),
    givesUp(way),
    freesQueueSlot(way),
    ...(way.name === 'rescue' ? [] : [keepsBatch(way)]),
    keepsKey(way),
    counts(way),
    wakes(way),
  ]),
  {
    name: 'fail waits as the backoff of the task says, else as that of the queue',
    about: ['requeue'],
    run: async ({ engine }) => {
      await engine.setQueue('mail', { backoff: { kind: 'fixed', base: '1 hour' } })
      const own = await engine.running({ backoff: { kind: 'fixed', base: '3 hours' } })
      const common = await engine.running()
      const reported = await engine.running()
      expect(await engine.fail(own, error)).toMatchObject({ state: 'queued' })
      await engine.fail(common, error)
      const answer = await engine.fail(reported, error, { delay: '5 hours' })
      await expectFromNow(engine, (await stored(engine, own.id))['run_at'], 3 * 3600)
      await expectFromNow(engine, (await stored(engine, common.id))['run_at'], 3600)
      await expectFromNow(engine, (await stored(engine, reported.id))['run_at'], 5 * 3600)
      await expectFromNow(engine, answer.run_at, 5 * 3600)
      expect(await engine.claim('mail')).toEqual([])
    },
  },
  {
    name: 'fail doubles the exponential backoff with each attempt',
    about: ['requeue'],
    run: async ({ engine }) => {
      const backoff = { kind: 'exponential', base: '1 hour', cap: '100 hours' } as const
      const first = await engine.running({ backoff })
      await engine.fail(first, error)
      await expectFromNow(engine, (await stored(engine, first.id))['run_at'], 2 * 3600)
      await engine.pass('3 hours', first.id)
      await engine.fail(await engine.claimOne('mail'), error)
      await expectFromNow(engine, (await stored(engine, first.id))['run_at'], 4 * 3600)
    },
  },
  {
    name: 'a task runs as often as its own limit of attempts says, else as that of its queue',
    about: ['requeue', 'end'],
    run: async ({ engine }) => {
      await engine.setQueue('mail', { max_attempts: 3, backoff: { kind: 'none' } })
      for (const [maxAttempts, runs] of [
        [2, 2],
        [undefined, 3],
      ] as const) {
        const { id } = await engine.enqueue({ queue: 'mail', maxAttempts })
        for (let run = 1; run <= runs; run += 1) {
          const { state } = await engine.fail(await engine.claimOne('mail'), error)
          expect(state).toBe(run < runs ? 'queued' : 'failed')
        }
        expect(await engine.task(id)).toMatchObject({
          state: 'failed',
          reason: 'error',
          attempt: runs,
        })
      }
    },
  },
  {
    name: 'fail is final where the backoff is never',
    about: ['requeue', 'end'],
    run: async ({ engine }) => {
      const task = await engine.running({ backoff: { kind: 'never' } })
      expect(await engine.fail(task, error)).toEqual({ state: 'failed', run_at: null })
    },
  },
  {
    name: 'fail is final where SQL can never succeed, unless the backoff says otherwise',
    about: ['requeue', 'end'],
    // SQL tasks are not given out over HTTP.
    doors: ['single', 'bulk', 'objects', 'queues', 'client'],
    run: async ({ engine }) => {
      const sql = { kind: 'sql', payload: { sql: 'select 1/0' } } as const
      const permanent = { name: 'SqlError', code: '22012', message: 'division by zero' }
      const passing = { name: 'SqlError', code: '40001', message: 'serialization failure' }
      const retry = { kind: 'none', on_permanent: 'retry' } as const
      const fail = async (task: Parameters<typeof engine.running>[0], reported: typeof permanent) =>
        (await engine.fail(await engine.running(task), reported)).state
      expect(await fail(sql, permanent)).toBe('failed')
      expect(await fail({ ...sql, queue: 'passing' }, passing)).toBe('queued')
      expect(await fail({ queue: 'handler' }, permanent)).toBe('queued')
      expect(await fail({ ...sql, queue: 'own', backoff: retry }, permanent)).toBe('queued')
      await engine.rows(`select set_queue('set', $1)`, JSON.stringify({ backoff: retry }))
      expect(await fail({ ...sql, queue: 'set' }, permanent)).toBe('queued')
    },
  },
  {
    name: 'fail tells a timeout from an error',
    about: ['requeue', 'history'],
    run: async ({ engine }) => {
      const task = await engine.running()
      await engine.fail(task, error, { reason: 'timeout', retry: false })
      expect(await engine.task(task.id)).toMatchObject({
        state: 'failed',
        reason: 'timeout',
        error,
      })
    },
  },
  {
    name: 'release leaves a task that went to another',
    about: ['release', 'lease'],
    doors: 'one',
    run: async ({ engine }) => {
      const first = await engine.running()
      await engine.release([first])
      await engine.claimOne('mail')
      expect(await engine.release([first])).toEqual([])
      expect(await engine.task(first.id)).toMatchObject({ state: 'running', attempt: 1 })
    },
  },
  {
    name: 'reschedule takes another payload and another time',
    about: ['reschedule'],
    run: async ({ engine }) => {
      const task = await engine.running({ payload: { n: 1 } })
      await engine.reschedule(task, farAhead, { n: 2 })
      expect(await stored(engine, task.id)).toMatchObject({ payload: { n: 2 }, run_at: farAhead })
    },
  },
  {
    name: 'a claim whose lease ran out is refused once the task went to another',
    about: ['lease', 'rescue', 'requeue', 'reschedule', 'end'],
    run: async ({ engine }) => {
      const late = await engine.running()
      await engine.rows(`update claims set expires_at = clock_timestamp() - interval '1 second'`)
      await engine.rescue()
      await engine.claimOne('mail')
      for (const word of [
        () => engine.complete(late),
        () => engine.fail(late),
        () => engine.reject(late),
        () => engine.kill(late),
        () => engine.reschedule(late, farAhead),
      ]) {
        await expect(word()).rejects.toMatchObject({ code: 'lease_lost' })
      }
      expect(await engine.task(late.id)).toMatchObject({ state: 'running' })
    },
  },
]
