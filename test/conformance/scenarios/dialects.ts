import { expect } from 'vitest'
import { expectFromNow, farAhead, json, longAgo, stored, without } from '../samples.ts'
import type { Scenario } from '../scenario.ts'
import { one, onlyTask } from './dialect-words.ts'
import { fetchqScenarios } from './fetchq.ts'

const rounds: Scenario = {
  name: 'fetchq pick tells which round of the document it is',
  about: ['fetchq', 'claim', 'reschedule'],
  doors: 'one',
  run: async ({ fetchq }) => {
    const pick = () => one(fetchq(`select * from fetchq.doc_pick_token('q1', 4, 1, '1 hour')`))
    await fetchq(`select fetchq.queue_create('q1')`)
    await fetchq(`select fetchq.doc_push('q1', 'a', 4, 7, now(), '{"n": 1}')`)
    const { token } = await pick()
    await fetchq(`select fetchq.doc_reschedule('q1', 'a', $1, '{}', $2)`, longAgo, token)
    expect(await pick()).toMatchObject({ subject: 'a', iterations: '1', attempts: 1 })
  },
}

const taskTableScenarios: readonly Scenario[] = [
  {
    name: 'pg_task stores a row as a task, and its repetition with all it was',
    about: ['pg-task', 'store'],
    doors: 'one',
    run: async ({ engine, taskTable }) => {
      const inserted = await one(
        taskTable(
          `insert into tables.task (input, plan, "group", max, timeout, repeat, delete)
           values ('select 1', $1, 'g', 2, '11 minutes', '5 hours', false) returning id`,
          longAgo,
        ),
      )
      const key = String(inserted['id'])
      const taskOf = (given: string) =>
        engine.value<string>('select id from tasks where key = $1', given)
      const row = await stored(engine, await taskOf(key))
      expect(row).toMatchObject({
        kind: 'sql',
        handler: null,
        run_at: longAgo,
        key,
        priority: 2,
        max_running: 3,
        version: 1,
        deadline: null,
        groups: [expect.stringContaining('g')],
        backoff: { kind: 'never' },
        payload: { sql: 'select 1', settings: { statement_timeout: 660_000 } },
        meta: { pg_task: { max: 2, drift: false, delete: false } },
      })
      const task = await engine.claimOne(String(row['queue']))
      const before = await engine.value<number>('select sum(enqueued)::int from deltas')
      await engine.setQueue(String(row['queue']), { records_events: true })
      await engine.complete(task)

      const copy = await one(taskTable('select id from tables.task where parent = $1', key))
      const next = { id: await taskOf(String(copy['id'])) }
      const again = await stored(engine, next.id)
      const changed = ['run_at', 'created_at', 'key', 'payload', 'meta']
      expect(without(again, ...changed)).toEqual(without(row, ...changed))
      const role = (row['payload'] as { role: string }).role
      expect(again['payload']).toMatchObject({ sql: 'select 1', role })
      await expectFromNow(engine, again['created_at'], 0)
      expect((again['run_at'] as Date) > (row['run_at'] as Date)).toBe(true)
      expect(await engine.value('select sum(enqueued)::int from deltas')).toBe(before + 1)
      expect(await engine.rows(`select task from events where event = 'enqueue'`)).toEqual([
        { task: next.id },
      ])
      await engine.pass('6 hours', next.id)
      expect(await engine.claimOne(String(row['queue']))).toMatchObject({ id: next.id })
    },
  },
  {
    name: 'pg_task gives a task that may start for a while only a deadline',
    about: ['pg-task', 'store'],
    doors: 'one',
    run: async (world) => {
      await world.taskTable(
        `insert into tables.task (input, plan, active, delete) values ('select 1', $1, '1 hour', false)`,
        farAhead,
      )
      const { row } = await onlyTask(world)
      expect(row['deadline']).toEqual(new Date(farAhead.getTime() + 3_600_000))
    },
  },
]

const backgroundScenarios: readonly Scenario[] = [
  {
    name: 'pg_background stores what it launches with its topics, retries and timeout',
    about: ['pg-background', 'store'],
    doors: 'one',
    run: async (world) => {
      await world.background(
        `select bg.pg_background_launch('select 1', topics => '{reports}', label => 'mine', retry_count => 3, timeout_ms => 660000)`,
      )
      const { row } = await onlyTask(world)
      expect(row).toMatchObject({
        queue: 'pg_background',
        kind: 'sql',
        handler: null,
        max_attempts: 4,
        timeout: '00:11:00',
        backoff: { kind: 'exponential', base: '1 second' },
        payload: json({ sql: 'select 1' }),
        meta: { pg_background: { label: 'mine', topics: ['reports'] } },
      })
      expect(row['groups']).toEqual(expect.arrayContaining([expect.stringContaining('reports')]))
    },
  },
]

export const dialects: readonly Scenario[] = [
  ...fetchqScenarios,
  rounds,
  ...taskTableScenarios,
  ...backgroundScenarios,
]
