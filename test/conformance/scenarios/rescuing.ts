import { expect } from 'vitest'
import { expectFromNow, keep, stored } from '../samples.ts'
import type { Scenario } from '../scenario.ts'

const over = `update claims set expires_at = clock_timestamp() - interval '1 second'`

export const rescuing: readonly Scenario[] = [
  {
    name: 'rescue leaves tasks whose lease lasts',
    about: ['rescue', 'lease'],
    run: async ({ engine }) => {
      const { id } = await engine.running()
      expect(await engine.rescue()).toEqual([])
      expect(await engine.task(id)).toMatchObject({ state: 'running' })
    },
  },
  {
    name: 'extend moves the lease, so that rescue leaves the task',
    about: ['rescue', 'lease'],
    run: async ({ engine }) => {
      const task = await engine.running()
      expect(await engine.extend([task.claim], '1 hour')).toEqual([task.claim])
      await expectFromNow(engine, await engine.value('select expires_at from claims'), 3600)
      await engine.pass('30 minutes', task.id)
      expect(await engine.rescue()).toEqual([])
    },
  },
  {
    name: 'rescue takes no more tasks than its limit',
    about: ['rescue'],
    run: async ({ engine }) => {
      for (let n = 0; n < 3; n += 1) await engine.enqueue({ queue: 'mail' })
      await engine.claim('mail', { limit: 3 })
      await engine.rows(over)
      expect(await engine.rows('select * from rescue(2)')).toHaveLength(2)
      expect(await engine.rows('select * from rescue(2)')).toHaveLength(1)
      expect(await engine.rows('select from claims')).toEqual([])
    },
  },
  {
    name: 'rescue fails a task that was lost in its last attempt',
    about: ['rescue', 'end'],
    run: async ({ engine }) => {
      const task = await engine.running({ maxAttempts: 1 }, { worker: 'ada' })
      await engine.rows(over)
      expect(await engine.rescue()).toMatchObject([{ id: task.id, state: 'failed' }])
      expect(await engine.task(task.id)).toMatchObject({
        state: 'failed',
        reason: 'lost',
        attempt: 1,
        worker: 'ada',
      })
    },
  },
  ...['mail', '*'].map(
    (name): Scenario => ({
      name: `rescue fails a lost task where ${name === '*' ? 'all queues say' : 'its queue says'} so`,
      about: ['rescue', 'end'],
      run: async ({ engine }) => {
        await engine.setQueue(name, { on_lost: 'fail' })
        const task = await engine.running()
        await engine.rows(over)
        expect(await engine.rescue()).toMatchObject([{ id: task.id, state: 'failed' }])
        expect(await engine.task(task.id)).toMatchObject({ state: 'failed', reason: 'lost' })
      },
    }),
  ),
  {
    name: 'rescue brings a task back also where its backoff is never',
    about: ['rescue'],
    run: async ({ engine }) => {
      const task = await engine.running({ backoff: { kind: 'never' } })
      await engine.rows(over)
      expect(await engine.rescue()).toMatchObject([{ id: task.id, state: 'queued' }])
    },
  },
  {
    name: 'rescue_queue rescues one queue only, and only into one state on request',
    about: ['rescue'],
    run: async ({ engine }) => {
      const mail = await engine.running({ queue: 'mail' })
      const post = await engine.running({ queue: 'post', maxAttempts: 1 })
      await engine.rows(over)
      expect(await engine.rows(`select * from rescue_queue('post', 9, 'queued')`)).toEqual([])
      expect(await engine.rows(`select id, state from rescue_queue('post', 9, 'failed')`)).toEqual([
        { id: post.id, state: 'failed' },
      ])
      expect(await engine.task(mail.id)).toMatchObject({ state: 'running' })
    },
  },
  {
    name: 'expire fails what is past its deadline and waits, with all its properties, and leaves the rest',
    about: ['expire', 'history', 'end', 'count'],
    run: async ({ engine }) => {
      await engine.setQueue('reports', { keep_failed: '3 days', records_events: true })
      const late = await keep(engine, 'full', { retention: undefined })
      const fine = await engine.enqueue({ queue: 'reports', deadline: new Date('2100-01-01') })
      await engine.rows(
        `update tasks set deadline = clock_timestamp() - interval '1 minute' where id = $1`,
        late.id,
      )
      const row = await stored(engine, late.id)

      expect(await engine.rows<{ id: string }>('select expire as id from expire()')).toEqual([
        { id: late.id },
      ])

      expect(await stored(engine, late.id)).toEqual(row)
      expect(await engine.task(late.id)).toMatchObject({
        state: 'failed',
        reason: 'expired',
        attempt: 0,
        worker: null,
      })
      expect(await engine.task(fine.id)).toMatchObject({ state: 'ready' })
      expect(await engine.value('select sum(failed)::int from deltas')).toBe(1)
      expect(
        await engine.value(
          'select extract(epoch from keep_until - finished_at)::int from finished',
        ),
      ).toBe(3 * 86_400)
      expect(await engine.rows('select reason, task from failures')).toEqual([
        { reason: 'expired', task: late.id },
      ])
      expect(await engine.rows(`select task from events where event = 'fail'`)).toEqual([
        { task: late.id },
      ])
      expect(await engine.rows('select from keys')).toEqual([])
    },
  },
  {
    name: 'expire takes no more tasks than its limit, and none that runs',
    about: ['expire'],
    run: async ({ engine }) => {
      await engine.running({ deadline: new Date('2100-01-01') })
      for (let n = 0; n < 2; n += 1)
        await engine.enqueue({ queue: 'post', deadline: new Date('2100-01-01') })
      await engine.rows(`update tasks set deadline = clock_timestamp() - interval '1 minute'`)
      await engine.rows(
        `update tasks set deadline = deadline - interval '1 hour' where claim is not null`,
      )
      expect(await engine.rows('select expire(1)')).toHaveLength(1)
      expect(await engine.rows('select expire(5)')).toHaveLength(1)
      expect(await engine.rows(`select queue from tasks`)).toEqual([{ queue: 'mail' }])
    },
  },
  {
    name: 'cancel and delete end a task that waits, and let others of its group move up',
    about: ['cancel', 'delete', 'end', 'limit', 'event'],
    run: async ({ engine }) => {
      await engine.setQueue('mail', { records_events: true })
      const kept = await keep(engine, 'full', { queue: 'mail' })
      await engine.cancel(kept.id)
      expect(await stored(engine, kept.id)).toEqual(kept.row)
      expect(await engine.task(kept.id)).toMatchObject({
        state: 'cancelled',
        reason: 'aborted',
        started_at: null,
      })
      const gone = await engine.enqueue({ queue: 'mail', key: 'k' })
      await engine.delete(gone.id)
      expect(await engine.task(gone.id)).toBeNull()
      expect(await engine.rows('select from keys')).toEqual([])
      const events = await engine.rows<{ event: string }>('select event from events order by id')
      expect(events.map(({ event }) => event)).toEqual(['enqueue', 'cancel', 'enqueue', 'delete'])
      expect(await engine.value('select sum(cancelled)::int from deltas')).toBe(2)
      expect(await engine.value('select coalesce(max(running), 0) from groups')).toBe(0)
    },
  },
  {
    name: 'delete removes a task that runs with its claim, slot, key and lines, and tells its worker',
    about: ['delete', 'lease', 'limit', 'key', 'notify'],
    run: async ({ engine, heard }) => {
      await engine.setQueue('mail', { max_running: 5 })
      const task = await engine.running({ groups: ['g'], key: 'k' })
      await engine.rows(
        `insert into logs (task, attempt, level, message) values ($1, 1, 'info', 'x')`,
        task.id,
      )
      await engine.delete(task.id)
      for (const table of ['tasks', 'finished', 'claims', 'keys', 'logs']) {
        expect(await engine.rows(`select from ${table}`)).toEqual([])
      }
      expect(await engine.value('select sum(running)::int from groups')).toBe(0)
      expect((await heard('cancel')).map((text) => text.split(' ')[0])).toEqual([task.id])
    },
  },
  {
    name: 'delete frees a throttled key at once',
    about: ['delete', 'key'],
    run: async ({ engine }) => {
      const given = { queue: 'mail', key: 'k', onDuplicate: 'throttle', window: '1 hour' } as const
      const live = await engine.enqueue(given)
      await engine.delete(live.id)
      expect(await engine.rows('select from keys')).toEqual([])
      const task = await engine.running(given)
      await engine.complete(task)
      await engine.delete(task.id)
      expect(await engine.rows('select from keys')).toEqual([])
    },
  },
  {
    name: 'delete removes a task that ended with its attempts and its kept key',
    about: ['delete', 'key', 'event'],
    run: async ({ engine }) => {
      await engine.setQueue('mail', { keeps_keys: true, records_events: true })
      const task = await engine.running({ key: 'k' })
      await engine.kill(task)
      await engine.delete(task.id)
      for (const table of ['finished', 'attempts', 'keys']) {
        expect(await engine.rows(`select from ${table}`)).toEqual([])
      }
      expect(await engine.rows(`select task from events where event = 'delete'`)).toEqual([
        { task: task.id },
      ])
    },
  },
]
