import { expect } from 'vitest'
import type { NewTask } from '../../../src/engine/task.ts'
import { expectFromNow, farAhead, keep, stored } from '../samples.ts'
import type { Scenario } from '../scenario.ts'

/** What another task of the same key brings along. */
const newer = {
  queue: 'reports',
  key: 'july',
  payload: { newer: true },
  handler: 'yearly',
  version: 9,
  meta: { trace: 'newer' },
  priority: 8,
  deadline: new Date('2099-09-09T00:00:00.000Z'),
} satisfies NewTask

const replaced = {
  payload: newer.payload,
  handler: newer.handler,
  version: newer.version,
  meta: newer.meta,
  priority: newer.priority,
  deadline: newer.deadline,
}

export const keys: readonly Scenario[] = [
  {
    name: 'a key is taken while its task lives, in its own queue',
    about: ['key', 'store'],
    run: async ({ engine }) => {
      const { id, row } = await keep(engine, 'plain')
      expect(await engine.enqueue(newer)).toEqual({ id, outcome: 'kept' })
      expect(await stored(engine, id)).toEqual(row)
      expect(await engine.enqueue({ ...newer, queue: 'elsewhere' })).toMatchObject({
        outcome: 'created',
      })
      expect(await engine.enqueue({ ...newer, key: 'june' })).toMatchObject({ outcome: 'created' })
    },
  },
  {
    name: 'on_duplicate replace replaces what was given and leaves the rest',
    about: ['key', 'store'],
    run: async ({ engine }) => {
      const { id, row } = await keep(engine, 'full')
      const runAt = new Date('2099-03-03T00:00:00.000Z')
      expect(await engine.enqueue({ ...newer, runAt, onDuplicate: 'replace' })).toEqual({
        id,
        outcome: 'replaced',
      })
      expect(await stored(engine, id)).toEqual({ ...row, ...replaced, run_at: runAt })
    },
  },
  {
    name: 'on_duplicate replace leaves what was not given',
    about: ['key', 'store'],
    run: async ({ engine }) => {
      const { id, row } = await keep(engine, 'full')
      const { queue, key, payload } = newer
      await engine.enqueue({ queue, key, payload, onDuplicate: 'replace' })
      expect(await stored(engine, id)).toEqual({ ...row, payload })
    },
  },
  {
    name: 'on_duplicate replace does not change a task that runs',
    about: ['key'],
    run: async ({ engine }) => {
      const { id, row } = await keep(engine, 'plain', { freesKey: undefined })
      await engine.claimOne('reports')
      expect(await engine.enqueue({ ...newer, onDuplicate: 'replace' })).toEqual({
        id,
        outcome: 'kept',
      })
      expect(await stored(engine, id)).toEqual({ ...row, attempt: 1 })
    },
  },
  {
    name: 'on_duplicate debounce waits for its window, and once more with each task',
    about: ['key', 'store'],
    run: async ({ engine }) => {
      const given = {
        queue: 'reports',
        key: 'july',
        onDuplicate: 'debounce',
        window: '2 hours',
      } as const
      const { id } = await engine.enqueue(given)
      await expectFromNow(engine, (await stored(engine, id))['run_at'], 2 * 3600)
      await engine.pass('90 minutes', id)
      expect(await engine.enqueue({ ...newer, ...given })).toEqual({ id, outcome: 'debounced' })
      const row = await stored(engine, id)
      expect(row).toMatchObject(replaced)
      await expectFromNow(engine, row['run_at'], 2 * 3600)
      const reported = await engine.enqueue({ ...given, runAt: farAhead })
      expect(reported).toEqual({ id, outcome: 'debounced' })
      expect(await stored(engine, id)).toMatchObject({ run_at: farAhead })
    },
  },
  {
    name: 'on_duplicate throttle takes one task per window',
    about: ['key', 'store'],
    run: async ({ engine }) => {
      const given = { queue: 'mail', key: 'k', onDuplicate: 'throttle', window: '2 hours' } as const
      const { id, outcome } = await engine.enqueue(given)
      expect(outcome).toBe('created')
      await expectFromNow(engine, await engine.value('select until from keys'), 2 * 3600)
      expect(await engine.enqueue(given)).toEqual({ id, outcome: 'throttled' })
      await engine.complete(await engine.claimOne('mail'))
      expect(await engine.enqueue(given)).toEqual({ id, outcome: 'throttled' })
      await engine.pass('121 minutes')
      expect(await engine.enqueue(given)).toMatchObject({ outcome: 'created' })
    },
  },
  ...[undefined, ['g']].map(
    (groups): Scenario => ({
      name: `frees_key gives the key back when the task ${groups === undefined ? '' : 'of a group '}starts`,
      about: ['key', 'claim'],
      run: async ({ engine }) => {
        const given = { queue: 'mail', key: 'k', freesKey: true, groups }
        const first = await engine.enqueue(given)
        expect(await engine.enqueue(given)).toEqual({ id: first.id, outcome: 'kept' })
        const task = await engine.claimOne('mail')
        const second = await engine.enqueue(given)
        expect(second.outcome).toBe('created')
        await engine.complete(task)
        expect(await engine.enqueue(given)).toEqual({ id: second.id, outcome: 'kept' })
        expect(await engine.rows('select task from keys')).toEqual([{ task: second.id }])
      },
    }),
  ),
  {
    name: 'without frees_key a key is held while the task runs',
    about: ['key', 'claim'],
    run: async ({ engine }) => {
      const given = { queue: 'mail', key: 'k', freesKey: false }
      const { id } = await engine.enqueue(given)
      await engine.claimOne('mail')
      expect(await engine.enqueue(given)).toEqual({ id, outcome: 'kept' })
    },
  },
  {
    name: 'a task that its key keeps out is not counted and leaves no event',
    about: ['key', 'count', 'event'],
    run: async ({ engine }) => {
      await engine.setQueue('mail', { records_events: true })
      const given = { queue: 'mail', key: 'k', onDuplicate: 'throttle', window: '1 hour' } as const
      await engine.enqueue(given)
      await engine.enqueue(given)
      await engine.enqueue({ queue: 'mail', key: 'k' })
      expect(await engine.value('select sum(enqueued)::int from deltas')).toBe(1)
      expect(await engine.rows('select event from events')).toEqual([{ event: 'enqueue' }])
    },
  },
  {
    name: 'a bulk with the same key twice stores the first',
    about: ['key', 'store'],
    doors: ['bulk', 'objects', 'client', 'http'],
    run: async ({ engine }) => {
      const taken = await engine.enqueue({ queue: 'mail', key: 'b', payload: 0 })
      const made = await engine.enqueueMany([
        { queue: 'mail', key: 'a', payload: 1 },
        { queue: 'mail', key: 'a', payload: 2 },
        { queue: 'mail', key: 'b', payload: 3, onDuplicate: 'replace' },
        { queue: 'mail', payload: 4 },
      ])
      expect(made.map(({ outcome }) => outcome)).toEqual(['created', 'kept', 'replaced', 'created'])
      expect(made[1]?.id).toBe(made[0]?.id)
      expect(made[2]?.id).toBe(taken.id)
      expect(await engine.rows('select payload from tasks order by payload')).toEqual(
        [1, 3, 4].map((payload) => ({ payload })),
      )
    },
  },
]
