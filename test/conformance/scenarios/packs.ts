import { expect } from 'vitest'
import { range } from '../../support/crowd.ts'
import type { TestEngine } from '../../support/test-engine.ts'
import type { Scenario } from '../scenario.ts'

/** Every property that tasks of one pack can have in common. */
const common = {
  queue: 'mail',
  handler: 'send',
  priority: 3,
  runAt: new Date('2020-01-01T00:00:00Z'),
  maxRunning: 4,
  tags: ['news'],
  version: 7,
  maxAttempts: 2,
  timeout: '1 minute',
  retention: '2 days',
  parent: '9',
  meta: { by: 'ada' },
}

async function pack(engine: TestEngine, n: number): Promise<string[]> {
  const tasks = range(n).map((payload) => ({ ...common, payload }))
  return (await engine.enqueueMany(tasks)).map(({ id }) => id)
}

const shown = (engine: TestEngine) =>
  engine.rows('select payload, state, attempt, output from task order by id')

const properties = (engine: TestEngine) =>
  engine.rows(`select handler, priority, run_at, tags, version, max_attempts, timeout::text, parent, meta, submitted_by,
                      created_at, iteration from task order by id`)

/** Rows that stand for several tasks: made, cut, split and ended. */
export const packs: readonly Scenario[] = [
  {
    name: 'tasks that are alike share a row, and one that differs in anything has its own',
    about: ['store'],
    doors: 'one',
    run: async ({ engine }) => {
      const others = [
        { handler: 'other' },
        { priority: 4 },
        { runAt: new Date('2020-01-02T00:00:00Z') },
        { tags: ['other'] },
        { version: 8 },
        { maxAttempts: 3 },
        { timeout: '2 minutes' },
        { retention: '3 days' },
        { parent: '8' },
        { meta: { by: 'bob' } },
        { maxRunning: 5 },
        { backoff: { kind: 'never' } },
        { deadline: new Date('2090-01-01T00:00:00Z') },
        { kind: 'document' },
        { queue: 'post' },
      ]
      for (const other of others) {
        const tasks = [common, common, { ...common, ...other }]
        await engine.enqueueMany(tasks as never)
        const sizes = await engine.rows('select size from tasks order by id')
        expect([other, sizes]).toEqual([other, [{ size: 2 }, { size: 1 }]])
        await engine.rows('delete from tasks')
      }
    },
  },
  {
    name: 'a pack has at most 32 tasks and about 2 kB, and none in queues that say so',
    about: ['store'],
    doors: 'one',
    run: async ({ engine }) => {
      await pack(engine, 70)
      expect(await engine.value('select max(size) from tasks')).toBe(32)
      await engine.rows('delete from tasks')
      const large = range(20).map(() => ({ queue: 'mail', payload: 'x'.repeat(500) }))
      await engine.enqueueMany(large)
      expect(await engine.value('select max(size) from tasks')).toBe(3)
      await engine.rows('delete from tasks')
      await engine.setQueue('mail', { packs: false })
      await pack(engine, 5)
      expect(await engine.rows('select from tasks')).toHaveLength(5)
    },
  },
  {
    name: 'a list of tasks as psql gives it is packed too: at most 32 in a row, each with its payload',
    about: ['store'],
    doors: 'one',
    run: async ({ engine }) => {
      await engine.rows(
        `select id from enqueue_many(array_fill('mail'::text, array[70]),
                                     array(select to_jsonb(n) from generate_series(0, 69) as n))`,
      )
      expect(await engine.value('select max(size) from tasks')).toBe(32)
      const claimed = await engine.claim('mail', { limit: 70 })
      expect(claimed.map(({ payload }) => payload)).toEqual(range(70))
      await engine.rows(
        `select id from enqueue_many(array_fill('post'::text, array[20]),
                                     array_fill(to_jsonb(repeat('x', 500)), array[20]))`,
      )
      expect(await engine.value(`select max(size) from tasks where queue = 'post'`)).toBe(3)
    },
  },
  {
    name: 'tasks with a deadline, documents and tasks of queues without packs share no row',
    about: ['store'],
    doors: 'one',
    run: async ({ engine }) => {
      const deadline = new Date('2090-01-01T00:00:00Z')
      await engine.enqueueMany(range(3).map(() => ({ ...common, deadline })))
      await engine.enqueueMany(range(3).map(() => ({ queue: 'mail', kind: 'document' as const })))
      await engine.setQueue('post', { packs: false })
      await engine.enqueueMany(range(3).map(() => ({ queue: 'post' })))
      expect(await engine.value('select max(size) from tasks')).toBe(1)
      const queues = ['mail', 'mail', 'post', 'post']
      await engine.enqueueMany(queues.map((queue) => ({ ...common, queue })))
      expect(await engine.rows('select queue, size from tasks order by id desc limit 3')).toEqual([
        { queue: 'post', size: 1 },
        { queue: 'post', size: 1 },
        { queue: 'mail', size: 2 },
      ])
    },
  },
  {
    name: 'a pack and a task beside it are completed by one call, and the first tasks of a pack alone',
    about: ['end', 'history'],
    doors: 'one',
    run: async ({ engine }) => {
      await pack(engine, 4)
      await engine.enqueue({ queue: 'mail', payload: 'beside' })
      const all = await engine.claim('mail', { limit: 9 })
      expect(await engine.completeMany(all)).toHaveLength(5)
      expect(await engine.rows('select from tasks')).toEqual([])
      await pack(engine, 4)
      const claimed = await engine.claim('mail', { limit: 4 })
      expect(await engine.completeMany(claimed.slice(0, 2))).toHaveLength(2)
      expect(await engine.value('select sum(size)::int from tasks')).toBe(2)
    },
  },
  {
    name: 'a pack is claimed in order, counted by tasks, and cut where fewer are asked for',
    about: ['claim', 'count', 'limit'],
    doors: ['single', 'queues'],
    run: async ({ engine }) => {
      const ids = await pack(engine, 30)
      const first = await engine.claim('mail', { limit: 7 })
      const second = await engine.claim('mail', { limit: 50 })
      expect([...first, ...second].map(({ id }) => id)).toEqual(ids)
      expect([...first, ...second].map(({ payload }) => payload)).toEqual(range(30))
      expect(await engine.rows('select open from claims order by id')).toEqual([
        { open: 7 },
        { open: 23 },
      ])
      expect(
        await engine.value(
          `select cardinality(claimed_ids(claims)) from claims order by id desc limit 1`,
        ),
      ).toBe(23)
      await engine.rows('select roll_up()')
      expect(await engine.rows('select enqueued::int, claimed::int from queue_total')).toEqual([
        { enqueued: 30, claimed: 30 },
      ])
    },
  },
  {
    name: 'a pack stays within the limit of its queue',
    about: ['claim', 'limit'],
    doors: ['single', 'queues'],
    run: async ({ engine }) => {
      await engine.setQueue('mail', { max_running: 5 })
      await pack(engine, 20)
      const claimed = await engine.claim('mail', { limit: 20 })
      expect(claimed).toHaveLength(5)
      expect(await engine.claim('mail', { limit: 20 })).toEqual([])
      await engine.completeMany(claimed)
      expect(await engine.value(`select running from groups where name = '@mail'`)).toBe(0)
    },
  },
  {
    name: 'a pack that is done as a whole is one row of history, with an output for each task',
    about: ['end', 'history', 'count'],
    doors: 'one',
    run: async ({ engine }) => {
      const ids = await pack(engine, 6)
      const before = await properties(engine)
      const claimed = await engine.claim('mail', { limit: 6 })
      const outputs = range(6).map((n) => (n === 3 ? null : { n }))
      expect(await engine.completeMany(claimed, outputs)).toEqual(ids)
      expect(await engine.rows('select size from finished')).toEqual([{ size: 6 }])
      expect(await properties(engine)).toEqual(before)
      expect(await shown(engine)).toEqual(
        range(6).map((n) => ({ payload: n, state: 'done', attempt: 1, output: outputs[n] })),
      )
      expect(await engine.watch(ids[4] ?? '', null)).toMatchObject({ output: { n: 4 } })
      expect(await engine.rows('select from claims')).toEqual([])
      await engine.rows('select roll_up()')
      expect(
        await engine.rows('select done::int, depth::int, waits[21]::int as waits from queue_total'),
      ).toEqual([{ done: 6, depth: 0, waits: 6 }])
    },
  },
  {
    name: 'a pack of which some tasks end is split, and the others stay with their claim',
    about: ['end', 'history', 'lease'],
    doors: 'one',
    run: async ({ engine }) => {
      await pack(engine, 6)
      const before = await properties(engine)
      const claimed = await engine.claim('mail', { limit: 6 })
      const some = claimed.filter((_, n) => n % 2 === 1)
      expect(await engine.completeMany(some, [{ n: 1 }, { n: 3 }, { n: 5 }])).toHaveLength(3)
      expect(await properties(engine)).toEqual(before)
      expect(await shown(engine)).toEqual(
        range(6).map((n) => ({
          payload: n,
          state: n % 2 === 1 ? 'done' : 'running',
          attempt: 1,
          output: n % 2 === 1 ? { n } : null,
        })),
      )
      expect(await engine.value('select open from claims')).toBe(3)
      expect(await engine.completeMany(claimed)).toHaveLength(3)
      expect(await engine.rows('select from claims')).toEqual([])
    },
  },
  {
    name: 'one task of a finished pack is brought back, and the others are kept',
    about: ['retry', 'history'],
    doors: 'one',
    run: async ({ engine }) => {
      const ids = await pack(engine, 4)
      const claimed = await engine.claim('mail', { limit: 4 })
      await engine.completeMany(claimed, range(4))
      await engine.retry(ids[2] ?? '')
      expect(await shown(engine)).toEqual(
        range(4).map((n) =>
          n === 2
            ? { payload: 2, state: 'ready', attempt: 0, output: null }
            : { payload: n, state: 'done', attempt: 1, output: n },
        ),
      )
    },
  },
  {
    name: 'a pack whose lease is over is rescued task by task',
    about: ['rescue', 'lease'],
    doors: 'one',
    run: async ({ engine }) => {
      await pack(engine, 5)
      await engine.claim('mail', { limit: 5 })
      await engine.pass('16 seconds')
      expect(await engine.rescue()).toHaveLength(5)
      expect(await shown(engine)).toEqual(
        range(5).map((n) => ({ payload: n, state: 'ready', attempt: 1, output: null })),
      )
      expect(await engine.rows('select from attempts')).toHaveLength(5)
      expect(await engine.rows('select from claims')).toEqual([])
    },
  },
]
