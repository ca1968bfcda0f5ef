import { expect } from 'vitest'
import {
  expectedClaim,
  expectedRow,
  farAhead,
  keep,
  longAgo,
  now,
  sampleNames,
  seconds,
  stored,
} from '../samples.ts'
import type { Scenario } from '../scenario.ts'

const storesSamples = sampleNames.map(
  (sample): Scenario => ({
    name: `enqueue stores every property of a ${sample} task`,
    about: ['store'],
    run: async ({ engine }) => {
      const { given, row } = await keep(engine, sample)

      expect(row).toMatchObject(expectedRow(given))
      expect(row).toMatchObject({ attempt: 0, iteration: '0' })
      expect(row['submitted_by']).toBe(await engine.value('select current_user'))
      expect(Math.abs(seconds(row['created_at']) - seconds(await now(engine)))).toBeLessThan(60)
    },
  }),
)

const claimsSamples = sampleNames.map(
  (sample): Scenario => ({
    name: `claim hands over every property of a ${sample} task`,
    about: ['claim'],
    run: async ({ engine }) => {
      const { id, row } = await keep(engine, sample)

      const task = await engine.claimOne('reports')

      expect(task).toMatchObject({ id, attempt: 1, ...expectedClaim(row) })
      expect(seconds(task.lease_expires_at)).toBeGreaterThan(seconds(await now(engine)) - 60)
    },
  }),
)

export const storing: readonly Scenario[] = [
  ...storesSamples,
  ...claimsSamples,
  {
    name: 'enqueue fills in the defaults of a task of which only the queue is known',
    about: ['store', 'claim'],
    run: async ({ engine }) => {
      const { id } = await engine.enqueue({ queue: 'mail' })

      const row = await stored(engine, id)
      expect(row).toMatchObject({ ...expectedRow({ queue: 'mail' }), run_at: row['created_at'] })
      expect(await engine.claimOne('mail')).toMatchObject({ id, max_attempts: 5, handler: 'mail' })
    },
  },
  {
    name: 'claim takes the number of attempts from the queue where the task has none',
    about: ['claim'],
    run: async ({ engine }) => {
      await engine.setQueue('mail', { max_attempts: 9 })
      await engine.enqueue({ queue: 'mail' })
      expect(await engine.claimOne('mail')).toMatchObject({ max_attempts: 9 })
    },
  },
  {
    name: 'a bulk stores each task with its own properties, in its order',
    about: ['store'],
    doors: ['bulk', 'objects', 'client', 'http'],
    run: async ({ engine }) => {
      const parent = await engine.value<string>(`select id from enqueue('parents')`)
      const tasks = [
        { queue: 'mail', payload: 1, priority: 3, timeout: '00:00:05', key: 'a' },
        { queue: 'post', payload: 2, maxRunning: 2, tags: ['t'], groups: ['g'], parent },
        { queue: 'mail', payload: 3, version: 8, retention: '02:00:00', deadline: farAhead },
        { queue: 'mail', payload: 4, backoff: { kind: 'none' as const }, meta: { m: 1 } },
        {
          queue: 'sms',
          payload: 5,
          handler: 'send',
          maxAttempts: 2,
          runAt: longAgo,
          freesKey: true,
        },
      ]

      const made = await engine.enqueueMany(tasks)

      expect(made.map(({ outcome }) => outcome)).toEqual(tasks.map(() => 'created'))
      for (const [at, task] of tasks.entries()) {
        const { run_at: _, ...wanted } = expectedRow(task)
        expect(await stored(engine, made[at]?.id ?? '')).toMatchObject(wanted)
      }
    },
  },
  {
    name: 'enqueue counts the task, for its queue alone',
    about: ['store', 'count'],
    run: async ({ engine }) => {
      await engine.enqueue({ queue: 'mail' })
      await engine.enqueue({ queue: 'mail', groups: ['g'] })
      expect(
        await engine.rows('select queue, sum(enqueued)::int as n from deltas group by queue'),
      ).toEqual([{ queue: 'mail', n: 2 }])
    },
  },
  ...[false, true].map(
    (isGrouped): Scenario => ({
      name: `enqueue records an event where the queue records events${isGrouped ? ', also with a group' : ''}`,
      about: ['store', 'event'],
      run: async ({ engine }) => {
        await engine.setQueue('mail', { records_events: true })
        const given = isGrouped ? { groups: ['g'] } : {}
        const { id } = await engine.enqueue({ queue: 'mail', ...given })
        await engine.enqueue({ queue: 'post', ...given })
        expect(await engine.rows('select event, task, queue from events')).toEqual([
          { event: 'enqueue', task: id, queue: 'mail' },
        ])
      },
    }),
  ),
  ...[false, true].map(
    (isGrouped): Scenario => ({
      name: `enqueue wakes a worker that sleeps on the queue${isGrouped ? ', also for a task with a group' : ''}`,
      about: ['store', 'notify'],
      run: async ({ engine, heard }) => {
        const given = isGrouped ? { groups: ['g'] } : {}
        await engine.enqueue({ queue: 'mail', ...given })
        expect(await heard('ready')).toEqual([])
        await engine.rows(
          `insert into sleepers (queue, worker, until) values ('mail', 'w', clock_timestamp() + interval '1 hour')`,
        )

        await engine.enqueue({ queue: 'mail', runAt: farAhead, ...given })
        await engine.enqueue({ queue: 'post', ...given })
        expect(await heard('ready')).toEqual([])
        await engine.enqueue({ queue: 'mail', ...given })

        expect(await heard('ready')).toEqual(['mail'])
      },
    }),
  ),
  {
    name: 'enqueue refuses a payload that is larger than the queue allows',
    about: ['store'],
    run: async ({ engine }) => {
      await engine.setQueue('mail', { max_payload: 1000 })
      await expect(
        engine.enqueue({ queue: 'mail', payload: Array.from({ length: 900 }, (_, at) => at) }),
      ).rejects.toMatchObject({ code: 'payload_too_large' })
      expect(await engine.rows('select from tasks')).toEqual([])
    },
  },
]
