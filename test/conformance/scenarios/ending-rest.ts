import { expect } from 'vitest'
import type { Scenario } from '../scenario.ts'
import { threeRunning } from './three-running.ts'

/** Ends of tasks that not every verb shares. */
export const endingRest: readonly Scenario[] = [
  {
    name: 'complete_many takes the time of each start from the worker, and leaves what another claim holds',
    about: ['history', 'end', 'lease'],
    doors: 'one',
    run: async ({ engine }) => {
      const tasks = await threeRunning(engine)
      const reported = [2, 1, 0].map((at) => tasks[at])
      const starts = await engine.rows<{ at: Date }>(
        `select clock_timestamp() - n * interval '1 minute' as at from generate_series(1, 3) as n`,
      )
      const claims = reported.map((task, at) => (at === 1 ? tasks[0]?.claim : task?.claim))
      const ended = await engine.rows(
        'select complete_many($1, $2, p_started_ats => $3) as id order by id',
        reported.map((task) => task?.id),
        claims,
        starts.map(({ at }) => at),
      )
      expect(ended).toEqual([{ id: tasks[0]?.id }, { id: tasks[2]?.id }])
      expect(await engine.rows('select started_at from finished order by id')).toEqual([
        { started_at: starts[2]?.at },
        { started_at: starts[0]?.at },
      ])
      expect(await engine.task(tasks[1]?.id ?? '')).toMatchObject({ state: 'running' })
    },
  },
  {
    name: 'cancel_many of tasks that wait keeps them as their queues say, and records events',
    about: ['cancel', 'history', 'event'],
    doors: 'one',
    run: async ({ engine }) => {
      await engine.setQueue('mail', { keep_cancelled: '3 days', records_events: true })
      await engine.setQueue('post', { keep_cancelled: '4 days' })
      const first = await engine.enqueue({ queue: 'mail' })
      const second = await engine.enqueue({ queue: 'post' })
      await engine.cancelMany([first.id, second.id])
      expect(
        await engine.rows(
          'select worker, started_at, extract(epoch from keep_until - finished_at)::int / 86400 as days from finished order by id',
        ),
      ).toEqual([
        { worker: null, started_at: null, days: 3 },
        { worker: null, started_at: null, days: 4 },
      ])
      expect(await engine.rows('select event, task from events order by id')).toEqual([
        { event: 'enqueue', task: first.id },
        { event: 'cancel', task: first.id },
      ])
    },
  },
  {
    name: 'expire of many keeps them as their queues say',
    about: ['expire', 'history'],
    doors: 'one',
    run: async ({ engine }) => {
      await engine.setQueue('mail', { keep_failed: '3 days' })
      await engine.setQueue('post', { keep_failed: '4 days' })
      await engine.enqueue({ queue: 'mail' })
      await engine.enqueue({ queue: 'post' })
      await engine.rows(`update tasks set deadline = clock_timestamp() - interval '1 minute'`)
      expect(await engine.rows('select expire()')).toHaveLength(2)
      expect(
        await engine.rows(
          'select extract(epoch from keep_until - finished_at)::int / 86400 as days from finished order by id',
        ),
      ).toEqual([{ days: 3 }, { days: 4 }])
    },
  },
  {
    name: 'delete_many counts tasks that lived as cancelled, queue by queue',
    about: ['delete', 'count', 'event'],
    doors: 'one',
    run: async ({ engine }) => {
      await engine.setQueue('mail', { records_events: true })
      const tasks = await threeRunning(engine)
      await engine.deleteMany(tasks.map(({ id }) => id))
      expect(
        await engine.rows(
          'select queue, sum(cancelled)::int as n from deltas group by queue order by queue',
        ),
      ).toEqual([
        { queue: 'mail', n: 1 },
        { queue: 'post', n: 2 },
      ])
      expect(await engine.rows(`select task from events where event = 'delete'`)).toEqual([
        { task: tasks[0]?.id },
      ])
      expect(await engine.rows('select from claims')).toEqual([])
    },
  },
  {
    name: 'delete counts a task that lived as cancelled',
    about: ['delete', 'count'],
    run: async ({ engine }) => {
      const task = await engine.running()
      await engine.delete(task.id)
      expect(await engine.value('select sum(cancelled)::int from deltas')).toBe(1)
    },
  },
  ...(['complete', 'kill'] as const).map(
    (verb): Scenario => ({
      name: `${verb} without a claim is refused, and leaves a task that waits`,
      about: ['end', 'lease'],
      doors: 'one',
      run: async ({ engine }) => {
        const { id } = await engine.enqueue({ queue: 'mail' })
        await expect(engine.rows(`select ${verb}($1, null)`, id)).rejects.toMatchObject({
          code: 'lease_lost',
        })
        expect(await engine.task(id)).toMatchObject({ state: 'ready' })
      },
    }),
  ),
  {
    name: 'complete takes the time of the start from the task, where it is known',
    about: ['end', 'history', 'count'],
    run: async ({ engine }) => {
      const task = await engine.running()
      const began = await engine.value<Date>(
        `with begun as (update tasks set started_at = clock_timestamp() - interval '1 hour' returning started_at)
         select started_at from begun`,
      )
      await engine.complete(task)
      expect(await engine.value('select started_at from finished')).toEqual(began)
    },
  },
  {
    name: 'a task that ran many rounds keeps the latest hundred attempts of the rounds before',
    about: ['requeue', 'reschedule', 'history'],
    run: async ({ engine }) => {
      const task = await engine.running({ maxAttempts: 200 })
      await engine.rows('update tasks set iteration = 2 where id = $1', task.id)
      const insert = `insert into attempts (task, iteration, attempt, ended_at, reason)
        select $1, $2::int, n, clock_timestamp() - $3::interval + n * interval '1 second', 'error'
        from generate_series(1, $4::int) as n`
      await engine.rows(insert, task.id, 1, '2 hours', 150)
      await engine.fail(task)
      expect(
        await engine.rows(
          'select iteration::int, count(*)::int as n from attempts group by iteration order by iteration',
        ),
      ).toEqual([
        { iteration: 1, n: 99 },
        { iteration: 2, n: 1 },
      ])
      const next = await engine.claimOne('mail', {}).catch(() => undefined)
      expect(next).toBeUndefined()
      await engine.rows(insert, task.id, 2, '1 hour', 150)
      await engine.pass('1 day', task.id)
      await engine.fail(await engine.claimOne('mail'))
      expect(
        await engine.rows('select count(*)::int as n from attempts where iteration = 2'),
      ).toEqual([{ n: 152 }])
    },
  },
  {
    name: 'fail_many ends an attempt once that is named twice, and records when it began',
    about: ['requeue', 'history'],
    doors: 'one',
    run: async ({ engine }) => {
      const task = await engine.running()
      await engine.rows(`update claims set claimed_at = claimed_at - interval '1 hour'`)
      const began = await engine.value('select claimed_at from claims')
      const failed = { id: task.id, claim: task.claim }
      expect(await engine.failMany([failed, failed])).toHaveLength(1)
      expect(await engine.rows('select task, started_at from attempts')).toEqual([
        { task: task.id, started_at: began },
      ])
    },
  },
]
