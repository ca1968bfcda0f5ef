import { expect } from 'vitest'
import type { NewTask } from '../../../src/engine/task.ts'
import { expectFromNow, farAhead, stored } from '../samples.ts'
import type { DoorName, Scenario } from '../scenario.ts'

/** The doors that take many tasks in one call. */
const doors: readonly DoorName[] = ['bulk', 'objects', 'client', 'http']

const large = Array.from({ length: 900 }, (_, at) => at)

/** What cannot be stored. */
const refused: readonly (readonly [what: string, task: NewTask & { queue: string }])[] = [
  ['a negative version', { queue: 'mail', version: -1 }],
  ['too large a meta', { queue: 'mail', meta: { large: 'm'.repeat(70_000) } }],
  ['SQL without a text', { queue: 'mail', kind: 'sql', payload: { role: 'postgres' } }],
]

const sleeper = `insert into sleepers (queue, worker, until) values ('mail', 'w', clock_timestamp() + interval '1 hour')`

/** What store_tasks() looks up for many tasks together: each rule has to hold for every queue of the bulk. */
export const storingMany: readonly Scenario[] = [
  ...refused.flatMap(([what, task]): Scenario[] => [
    {
      name: `enqueue refuses ${what}`,
      about: ['store', 'sql'],
      doors: ['single', 'bulk', 'objects'],
      run: async ({ engine }) => {
        await expect(engine.enqueue(task)).rejects.toThrow()
        expect(await engine.rows('select from tasks')).toEqual([])
      },
    },
    {
      name: `a bulk with ${what} is refused as a whole`,
      about: ['store', 'sql'],
      doors: ['bulk', 'objects'],
      run: async ({ engine }) => {
        await expect(engine.enqueueMany([{ queue: 'mail' }, task])).rejects.toThrow()
        expect(await engine.rows('select from tasks')).toEqual([])
      },
    },
  ]),
  {
    name: 'a bulk opens the lanes of all its priorities',
    about: ['store', 'claim'],
    doors,
    run: async ({ engine }) => {
      await engine.enqueue({ queue: 'mail', priority: 1 })
      await engine.enqueueMany([
        { queue: 'mail', priority: 1 },
        { queue: 'mail', priority: 9 },
      ])
      expect((await engine.claim('mail', { limit: 9 })).map(({ priority }) => priority)).toEqual([
        9, 1, 1,
      ])
      await engine.enqueueMany([{ queue: 'mail', priority: 1 }, { queue: 'post' }])
      expect(await engine.claim('post')).toHaveLength(1)
    },
  },
  {
    name: 'a bulk counts its tasks, queue by queue',
    about: ['store', 'count', 'key'],
    doors,
    run: async ({ engine }) => {
      const counted = () =>
        engine.rows(
          'select queue, sum(enqueued)::int as n from deltas group by queue order by queue',
        )
      await engine.enqueueMany([
        { queue: 'mail' },
        { queue: 'mail', priority: 3 },
        { queue: 'post' },
      ])
      expect(await counted()).toEqual([
        { queue: 'mail', n: 2 },
        { queue: 'post', n: 1 },
      ])
      await engine.enqueueMany([{ queue: 'mail', key: 'a' }, { queue: 'sms' }])
      await engine.enqueueMany([
        { queue: 'mail', key: 'a' },
        { queue: 'mail', key: 'b' },
        { queue: 'post' },
      ])
      expect(await counted()).toEqual([
        { queue: 'mail', n: 4 },
        { queue: 'post', n: 2 },
        { queue: 'sms', n: 1 },
      ])
    },
  },
  {
    name: 'a bulk records events of the queues that record events',
    about: ['store', 'event'],
    doors,
    run: async ({ engine }) => {
      await engine.setQueue('mail', { records_events: true })
      const made = await engine.enqueueMany([{ queue: 'post' }, { queue: 'mail' }])
      expect(await engine.rows('select event, task, queue from events')).toEqual([
        { event: 'enqueue', task: made[1]?.id, queue: 'mail' },
      ])
    },
  },
  {
    name: 'a bulk wakes the workers that sleep on one of its queues',
    about: ['store', 'notify'],
    doors,
    run: async ({ engine, heard }) => {
      await engine.rows(sleeper)
      await engine.enqueueMany([
        { queue: 'mail', runAt: farAhead },
        { queue: 'post', runAt: farAhead },
      ])
      expect(await heard('ready')).toEqual([])
      await engine.enqueueMany([{ queue: 'post' }, { queue: 'mail', runAt: farAhead }])
      expect(await heard('ready')).toEqual(['mail'])
    },
  },
  {
    name: 'enqueue wakes no worker for a task that its key keeps out',
    about: ['store', 'notify', 'key'],
    run: async ({ engine, heard }) => {
      const { id } = await engine.enqueue({ queue: 'mail', key: 'k' })
      await engine.rows(sleeper)
      expect(await engine.enqueue({ queue: 'mail', key: 'k' })).toEqual({ id, outcome: 'kept' })
      expect(await heard('ready')).toEqual([])
      await engine.enqueue({ queue: 'mail', key: 'k', onDuplicate: 'replace' })
      expect(await heard('ready')).toEqual(['mail'])
    },
  },
  {
    name: 'a bulk gives turns to the tasks of fair queues alone',
    about: ['store', 'limit'],
    doors,
    run: async ({ engine }) => {
      await engine.setQueue('mail', { is_fair: true })
      await engine.enqueueMany([
        { queue: 'mail', groups: ['g'] },
        { queue: 'mail' },
        { queue: 'post', groups: ['g'] },
      ])
      expect(await engine.rows('select queue, turn from tasks order by id')).toEqual([
        { queue: 'mail', turn: 'g' },
        { queue: 'mail', turn: '' },
        { queue: 'post', turn: null },
      ])
    },
  },
  {
    name: 'a bulk is refused where one payload is larger than its queue allows',
    about: ['store'],
    doors,
    run: async ({ engine }) => {
      await engine.setQueue('mail', { max_payload: 1000 })
      const tasks = [
        { queue: 'post', payload: large },
        { queue: 'mail', payload: 1 },
      ]
      expect(await engine.enqueueMany(tasks)).toHaveLength(2)
      await expect(
        engine.enqueueMany([...tasks, { queue: 'mail', payload: large }]),
      ).rejects.toMatchObject({ code: 'payload_too_large' })
      await expect(
        engine.enqueueMany([
          { queue: 'mail', payload: large },
          { queue: 'mail', payload: 1 },
        ]),
      ).rejects.toMatchObject({ code: 'payload_too_large' })
      expect(await engine.rows('select from tasks')).toHaveLength(2)
    },
  },
  {
    name: 'a bulk takes the keys of those that have one',
    about: ['store', 'key'],
    doors,
    run: async ({ engine }) => {
      const tasks = [
        { queue: 'mail', key: 'a' },
        { queue: 'mail' },
        { queue: 'post' },
        { queue: 'sms', key: 'a', onDuplicate: 'throttle', window: '2 hours' } as const,
      ]
      const made = await engine.enqueueMany(tasks)
      expect(made.map(({ outcome }) => outcome)).toEqual(tasks.map(() => 'created'))
      expect(await engine.rows('select queue, key, task from keys order by task')).toEqual([
        { queue: 'mail', key: 'a', task: made[0]?.id },
        { queue: 'sms', key: 'a', task: made[3]?.id },
      ])
      const until = await engine.value(`select until from keys where queue = 'sms'`)
      await expectFromNow(engine, until, 2 * 3600)
      expect((await engine.enqueueMany(tasks)).map(({ outcome }) => outcome)).toEqual([
        'kept',
        'created',
        'created',
        'throttled',
      ])
    },
  },
  {
    name: 'a bulk puts tasks in line behind those of the same group that fill it',
    about: ['store', 'limit'],
    doors,
    run: async ({ engine }) => {
      await engine.setGroup('g', { max_running: 1 })
      await engine.enqueueMany([
        { queue: 'mail', groups: ['g'] },
        { queue: 'mail', groups: ['g'] },
        { queue: 'mail' },
        { queue: 'post' },
      ])
      expect(await engine.rows('select parked_on from tasks order by id')).toEqual([
        { parked_on: null },
        { parked_on: 'g' },
        { parked_on: null },
        { parked_on: null },
      ])
    },
  },
  {
    name: 'enqueue stores as whom SQL runs',
    about: ['store', 'sql'],
    doors: ['single', 'bulk', 'objects'],
    run: async ({ engine }) => {
      const role = await engine.value('select current_user')
      const sql = { queue: 'sql', kind: 'sql', payload: { sql: 'select 1' } } as const
      const { id } = await engine.enqueue(sql)
      expect(await stored(engine, id)).toMatchObject({ payload: { sql: 'select 1', role } })
      const made = await engine.enqueueMany([
        { queue: 'sql', kind: 'handler' },
        sql,
        { queue: 'mail' },
      ])
      expect(await stored(engine, made[1]?.id ?? '')).toMatchObject({
        payload: { sql: 'select 1', role },
      })
    },
  },
]
