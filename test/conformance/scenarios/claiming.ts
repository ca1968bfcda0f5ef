import { expect } from 'vitest'
import type { TestEngine } from '../../support/test-engine.ts'
import { farAhead, now, seconds } from '../samples.ts'
import type { Scenario } from '../scenario.ts'

const at = (minutes: number) => new Date(Date.UTC(2021, 0, 1, 0, minutes))
const payloads = (tasks: readonly { payload: unknown }[]) => tasks.map(({ payload }) => payload)

const enqueueAll = async (
  engine: TestEngine,
  tasks: readonly Parameters<TestEngine['enqueue']>[0][],
) => {
  for (const task of tasks) await engine.enqueue(task)
}

export const claiming: readonly Scenario[] = [
  {
    name: 'claim takes no more than its limit',
    about: ['claim'],
    run: async ({ engine }) => {
      await enqueueAll(
        engine,
        [1, 2, 3].map((payload) => ({ queue: 'mail', payload, runAt: at(payload) })),
      )
      expect(payloads(await engine.claim('mail', { limit: 2 }))).toEqual([1, 2])
      expect(payloads(await engine.claim('mail', { limit: 5 }))).toEqual([3])
    },
  },
  {
    name: 'claim goes by priority, then by time, then by arrival',
    about: ['claim'],
    run: async ({ engine }) => {
      await enqueueAll(engine, [
        { queue: 'mail', payload: 'low', priority: -1, runAt: at(0) },
        { queue: 'mail', payload: 'late', runAt: at(2) },
        { queue: 'mail', payload: 'first', runAt: at(1) },
        { queue: 'mail', payload: 'second', runAt: at(1) },
        { queue: 'mail', payload: 'high', priority: 5, runAt: at(3) },
      ])
      expect(payloads(await engine.claim('mail', { limit: 9 }))).toEqual([
        'high',
        'first',
        'second',
        'late',
        'low',
      ])
    },
  },
  {
    name: 'claim goes by priority, time and arrival also one at a time and with groups',
    about: ['claim', 'limit'],
    run: async ({ engine }) => {
      await enqueueAll(engine, [
        { queue: 'mail', payload: 'late', runAt: at(2), groups: ['g'] },
        { queue: 'mail', payload: 'first', runAt: at(1), groups: ['g'] },
        { queue: 'mail', payload: 'second', runAt: at(1) },
        { queue: 'mail', payload: 'high', priority: 5, runAt: at(3), groups: ['h'] },
      ])
      for (const wanted of ['high', 'first', 'second', 'late']) {
        expect(payloads(await engine.claim('mail'))).toEqual([wanted])
      }
    },
  },
  ...[false, true].map(
    (isFair): Scenario => ({
      name: `claim leaves what is not due, and takes it when its time has come${isFair ? ', in a fair queue' : ''}`,
      about: ['claim'],
      run: async ({ engine }) => {
        if (isFair) await engine.setQueue('mail', { is_fair: true })
        const { id } = await engine.enqueue({ queue: 'mail', runAt: farAhead })
        const due = await engine.enqueue({ queue: 'mail' })
        expect(await engine.claim('mail', { limit: 9 })).toMatchObject([{ id: due.id }])
        expect(await engine.claim('mail')).toEqual([])
        await engine.rows(
          `update tasks set run_at = clock_timestamp() + interval '30 minutes' where id = $1`,
          id,
        )
        expect(await engine.claim('mail')).toEqual([])
        await engine.pass('31 minutes', id)
        expect(await engine.claim('mail')).toMatchObject([{ id }])
      },
    }),
  ),
  {
    name: 'claim leaves other queues alone',
    about: ['claim'],
    run: async ({ engine }) => {
      await engine.enqueue({ queue: 'post' })
      expect(await engine.claim('mail', { limit: 9 })).toEqual([])
    },
  },
  {
    name: 'claim hands a task out once',
    about: ['claim'],
    run: async ({ engine }) => {
      await engine.enqueue({ queue: 'mail' })
      expect(await engine.claim('mail', { limit: 9 })).toHaveLength(1)
      expect(await engine.claim('mail', { limit: 9 })).toEqual([])
    },
  },
  ...[false, true].map(
    (isFair): Scenario => ({
      name: `claim never hands out a task that is past its deadline${isFair ? ', in a fair queue' : ''}`,
      about: ['claim', 'expire'],
      run: async ({ engine }) => {
        if (isFair) await engine.setQueue('mail', { is_fair: true })
        const { id } = await engine.enqueue({ queue: 'mail', deadline: farAhead })
        await engine.rows(
          `update tasks set deadline = clock_timestamp() - interval '1 second' where id = $1`,
          id,
        )
        expect(await engine.claim('mail', { limit: 9 })).toEqual([])
        await engine.rows(
          `update tasks set deadline = clock_timestamp() + interval '1 hour' where id = $1`,
          id,
        )
        expect(await engine.claim('mail', { limit: 9 })).toMatchObject([{ id }])
      },
    }),
  ),
  ...[false, true].map(
    (isFair): Scenario => ({
      name: `claim takes only the versions and kinds that it names${isFair ? ', in a fair queue' : ''}`,
      about: ['claim'],
      run: async ({ engine }) => {
        if (isFair) await engine.setQueue('mail', { is_fair: true })
        await enqueueAll(engine, [
          { queue: 'mail', kind: 'document', version: 1, payload: 'old' },
          { queue: 'mail', kind: 'document', version: 2, payload: 'known' },
          { queue: 'mail', kind: 'document', version: 3, payload: 'new' },
          { queue: 'mail', payload: 'handler', version: 2 },
        ])
        const documents = { kinds: ['document'], versions: [2, 2] as const, limit: 9 }
        expect(payloads(await engine.claim('mail', documents))).toEqual(['known'])
        expect(payloads(await engine.claim('mail', { kinds: ['handler'], limit: 9 }))).toEqual([
          'handler',
        ])
        const rest = await engine.claim('mail', { kinds: ['document'], limit: 9 })
        expect(payloads(rest).sort()).toEqual(['new', 'old'])
      },
    }),
  ),
  {
    name: 'claim takes only the handlers that it names',
    about: ['claim'],
    run: async ({ engine }) => {
      await enqueueAll(engine, [
        { queue: 'mail', handler: 'resize', payload: 1 },
        { queue: 'mail', handler: 'send', payload: 2 },
      ])
      expect(payloads(await engine.claim('mail', { handlers: ['send'], limit: 9 }))).toEqual([2])
    },
  },
  {
    name: 'claim takes nothing from a paused queue',
    about: ['claim'],
    run: async ({ engine }) => {
      await engine.enqueue({ queue: 'mail' })
      await engine.pause('mail')
      expect(await engine.claim('mail')).toEqual([])
      await engine.resume('mail')
      expect(await engine.claim('mail')).toHaveLength(1)
    },
  },
  {
    name: 'claim counts an attempt, and gives the batch one token and one lease',
    about: ['claim', 'lease', 'count'],
    run: async ({ engine }) => {
      await enqueueAll(engine, [{ queue: 'mail' }, { queue: 'mail' }])
      const [first, second] = await engine.claim('mail', {
        limit: 2,
        worker: 'ada',
        lease: '10 minutes',
      })

      expect(first?.claim).toBe(second?.claim)
      expect([first?.attempt, second?.attempt]).toEqual([1, 1])
      const [claim] = await engine.rows(
        'select queue, worker, open, tasks, claimed_at, expires_at from claims',
      )
      expect(claim).toMatchObject({ queue: 'mail', worker: 'ada', open: 2 })
      expect(claim?.['tasks']).toEqual([first?.id, second?.id])
      expect(seconds(claim?.['expires_at']) - seconds(claim?.['claimed_at'])).toBeCloseTo(600, 0)
      expect(seconds(first?.lease_expires_at)).toBeCloseTo(seconds(claim?.['expires_at']), 0)
      expect(seconds(claim?.['claimed_at'])).toBeLessThanOrEqual(seconds(await now(engine)))
      expect(await engine.rows('select distinct attempt from tasks')).toEqual([{ attempt: 1 }])
      expect(await engine.value('select sum(claimed)::int from deltas')).toBe(2)
    },
  },
  {
    name: 'claim records an event where the queue records events',
    about: ['claim', 'event'],
    run: async ({ engine }) => {
      await engine.setQueue('mail', { records_events: true })
      const { id } = await engine.running({ queue: 'mail' })
      expect(await engine.rows(`select task, queue from events where event = 'claim'`)).toEqual([
        { task: id, queue: 'mail' },
      ])
    },
  },
]
