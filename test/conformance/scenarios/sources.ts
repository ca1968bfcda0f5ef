import { expect } from 'vitest'
import type { TestEngine } from '../../support/test-engine.ts'
import { expectFromNow, farAhead, stored } from '../samples.ts'
import type { Scenario } from '../scenario.ts'

/** The task of a schedule with every property that a schedule may give it. */
const template = {
  queue: 'reports',
  payload: { month: 7 },
  handler: 'monthly',
  kind: 'handler',
  priority: 7,
  key: 'july',
  frees_key: true,
  groups: ['customer 1'],
  max_running: 3,
  tags: ['red', 'green'],
  version: 4,
  max_attempts: 6,
  backoff: { kind: 'fixed', base: '90 seconds' },
  timeout: '00:11:00',
  retention: '13:00:00',
  meta: { trace: 'x' },
}

const scheduled = { ...template, deadline: null, iteration: '0', attempt: 0 }

/** A table of the test's own beside those of the engine. */
async function withTable(engine: TestEngine, run: () => Promise<void>): Promise<void> {
  await engine.rows('create table watched (id int, state text)')
  try {
    await run()
  } finally {
    await engine.rows('drop table watched')
  }
}

export const sources: readonly Scenario[] = [
  {
    name: 'run_schedule enqueues a task with every property of the template',
    about: ['schedule', 'store'],
    doors: 'one',
    run: async ({ engine }) => {
      const parent = await engine.value<string>(`select id from enqueue('parents')`)
      const task = { ...template, parent: Number(parent) }
      await engine.rows('select set_schedule($1, $2)', 'nightly', { every: '1 day', task })

      const id = await engine.value<string>(`select run_schedule('nightly')`)

      const row = await stored(engine, id)
      expect(row).toMatchObject({ ...scheduled, parent, meta: { trace: 'x', schedule: 'nightly' } })
      expect(row['meta']).toMatchObject({ planned_at: expect.any(String) })
      await expectFromNow(engine, row['run_at'], 0)
      expect(row['submitted_by']).toBe(await engine.value('select current_user'))
    },
  },
  {
    name: 'fire enqueues the task of a planned time, once',
    about: ['schedule', 'store'],
    doors: 'one',
    run: async ({ engine }) => {
      await engine.rows('select set_schedule($1, $2)', 'nightly', {
        at: new Date(Date.now() + 3_600_000).toISOString(),
        task: { queue: 'reports', kind: 'document', payload: [1], version: 3 },
      })
      await engine.rows('select from fire()')
      expect(await engine.rows('select from tasks')).toEqual([])
      await engine.pass('61 minutes')
      await engine.rows('select from fire()')
      await engine.rows('select from fire()')
      const [{ run_at: planned } = {}] = await engine.rows('select run_at from occurrences')
      const rows = await engine.rows(
        'select queue, kind, handler, payload, version, run_at from tasks',
      )
      expect(rows).toEqual([
        {
          queue: 'reports',
          kind: 'document',
          handler: null,
          payload: [1],
          version: 3,
          run_at: planned,
        },
      ])
    },
  },
  {
    name: 'the task of a schedule heeds on_duplicate and window',
    about: ['schedule', 'key'],
    doors: 'one',
    run: async ({ engine }) => {
      const task = { queue: 'mail', key: 'k', on_duplicate: 'throttle', window: '2 hours' }
      await engine.rows('select set_schedule($1, $2)', 'often', { every: '1 day', task })
      await engine.rows(`select run_schedule('often')`)
      await expectFromNow(engine, await engine.value('select until from keys'), 2 * 3600)
      expect(await engine.enqueue({ queue: 'mail', key: 'k' })).toMatchObject({ outcome: 'kept' })
    },
  },
  {
    name: 'a schedule that queues its overlaps adds a group of its own',
    about: ['schedule', 'limit'],
    doors: 'one',
    run: async ({ engine }) => {
      const task = { queue: 'reports', groups: ['g'] }
      await engine.rows('select set_schedule($1, $2)', 's', {
        every: '1 day',
        overlap: 'queue',
        task,
      })
      const id = await engine.value<string>(`select run_schedule('s')`)
      expect(await stored(engine, id)).toMatchObject({ groups: ['g', 'schedule:s'] })
    },
  },
  {
    name: 'a row trigger enqueues a task with the properties it was given',
    about: ['trigger', 'store'],
    doors: 'one',
    run: async ({ engine }) => {
      await withTable(engine, async () => {
        await engine.rows('select set_trigger($1, $2, $3)', 'watched', 'watch', {
          on: ['insert', 'update'],
          queue: 'changes',
          handler: 'ship',
          priority: 7,
          max_attempts: 6,
          timeout: '11 minutes',
          delay: '3 hours',
          key: ['id'],
        })
        await engine.rows(`insert into watched values (1, 'new')`)
        const [{ id } = { id: '' }] = await engine.rows<{ id: string }>('select id from tasks')
        const row = await stored(engine, id)
        expect(row).toMatchObject({
          queue: 'changes',
          handler: 'ship',
          kind: 'handler',
          priority: 7,
          max_attempts: 6,
          timeout: '00:11:00',
          frees_key: true,
          key: expect.stringContaining('watch'),
          payload: { trigger: 'watch', op: 'INSERT', new: { id: 1, state: 'new' } },
        })
        expect(row['submitted_by']).toBe(await engine.value('select current_user'))
        await expectFromNow(engine, row['run_at'], 3 * 3600)
        await engine.rows(`update watched set state = 'paid'`)
        expect(await stored(engine, id)).toMatchObject({
          payload: { op: 'UPDATE', new: { state: 'paid' } },
        })
        expect(await engine.rows('select from tasks')).toHaveLength(1)
      })
    },
  },
  {
    name: 'a row trigger makes documents, and heeds on_duplicate and window',
    about: ['trigger', 'key'],
    doors: 'one',
    run: async ({ engine }) => {
      await withTable(engine, async () => {
        await engine.rows('select set_trigger($1, $2, $3)', 'watched', 'watch', {
          on: ['insert'],
          kind: 'document',
          queue: 'changes',
          key: ['id'],
          on_duplicate: 'throttle',
          window: '2 hours',
        })
        for (const state of ['new', 'newer'])
          await engine.rows('insert into watched values (1, $1)', state)
        expect(
          await engine.rows(`select kind, handler, payload #>> '{new,state}' as state from tasks`),
        ).toEqual([{ kind: 'document', handler: null, state: 'new' }])
        await expectFromNow(engine, await engine.value('select until from keys'), 2 * 3600)
      })
    },
  },
  {
    name: 'sql() enqueues a task with every property it takes',
    about: ['sql', 'store'],
    doors: 'one',
    run: async ({ engine }) => {
      const id = await engine.value<string>(
        `select sql('select 1', p_queue => 'statements', p_run_at => $1, p_timeout => '11 minutes', p_max_attempts => 6,
           p_priority => 7, p_key => 'k', p_on_duplicate => 'replace', p_groups => '{g}')`,
        farAhead,
      )
      expect(await stored(engine, id)).toMatchObject({
        queue: 'statements',
        kind: 'sql',
        handler: null,
        run_at: farAhead,
        timeout: '00:11:00',
        max_attempts: 6,
        priority: 7,
        key: 'k',
        groups: ['g'],
        payload: { sql: 'select 1' },
      })
      const again = await engine.value<string>(
        `select sql('select 2', p_queue => 'statements', p_key => 'k', p_on_duplicate => 'replace')`,
      )
      expect(again).toBe(id)
      expect(await stored(engine, id)).toMatchObject({ payload: { sql: 'select 2' } })
    },
  },
  {
    name: 'statement() enqueues a task with every property it takes',
    about: ['sql', 'store'],
    doors: 'one',
    run: async ({ engine }) => {
      await engine.rows(`select set_statement('look', '{"sql": "select $1", "params": ["n"]}')`)
      const id = await engine.value<string>(
        `select statement('look', '{"n": 1}', p_queue => 'statements', p_run_at => $1, p_timeout => '11 minutes',
           p_max_attempts => 6, p_priority => 7, p_key => 'k', p_groups => '{g}')`,
        farAhead,
      )
      expect(await stored(engine, id)).toMatchObject({
        queue: 'statements',
        kind: 'sql',
        run_at: farAhead,
        timeout: '00:11:00',
        max_attempts: 6,
        priority: 7,
        key: 'k',
        groups: ['g'],
        payload: { statement: 'look', params: { n: 1 } },
      })
      const again = await engine.value<string>(
        `select statement('look', '{"n": 2}', p_queue => 'statements', p_key => 'k', p_on_duplicate => 'replace')`,
      )
      expect(again).toBe(id)
      expect(await stored(engine, id)).toMatchObject({ payload: { params: { n: 2 } } })
    },
  },
]
