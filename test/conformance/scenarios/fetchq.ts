import { expect } from 'vitest'
import { expectFromNow, farAhead, longAgo, stored } from '../samples.ts'
import type { Scenario, World } from '../scenario.ts'
import { first, one, onlyTask } from './dialect-words.ts'

const document = {
  queue: 'q1',
  kind: 'document',
  handler: null,
  priority: 7,
  version: 4,
  payload: { n: 1 },
}

/** A queue with one document that is picked. */
async function picked(world: World) {
  const { fetchq, engine } = world
  await fetchq(`select fetchq.queue_create('q1')`)
  await engine.setQueue('q1', { records_events: true })
  await fetchq(`select fetchq.doc_push('q1', 'a', 4, 7, $1, '{"n": 1}')`, longAgo)
  // What lies in the past is due now.
  const found = await one(fetchq(`select * from fetchq.doc_pick_token('q1', 4, 1, '1 hour')`))
  expect(found).toMatchObject({ subject: 'a' })
  return { token: found['token'] as string, found, ...(await onlyTask(world)) }
}

const ends = {
  complete: {
    sql: `fetchq.doc_complete('q1', 'a', '{"sum": 7}', $1)`,
    state: 'done',
    event: 'complete',
  },
  kill: { sql: `fetchq.doc_kill('q1', 'a', null, $1)`, state: 'failed', event: 'fail' },
} as const

/** Without a token the caller has to be the one who picked it: the document is found by its subject alone. */
const untold = {
  complete: `fetchq.doc_complete('q1', 'a', '{"sum": 7}')`,
  kill: `fetchq.doc_kill('q1', 'a')`,
} as const

const endsDocument = (name: keyof typeof ends, hasToken: boolean): Scenario => ({
  name: `fetchq ${name} ${hasToken ? 'by token' : 'by subject'} keeps the document, its subject and its story`,
  about: ['fetchq', 'end', 'history', 'key'],
  doors: 'one',
  run: async (world) => {
    const { engine, fetchq } = world
    const { token, id, row } = await picked(world)
    const { sql, state, event } = ends[name]
    await engine.rows(
      `insert into waiters (task, until) values ($1, clock_timestamp() + interval '1 hour')`,
      id,
    )

    expect(
      await first(hasToken ? fetchq(`select ${sql}`, token) : fetchq(`select ${untold[name]}`)),
    ).toBe(1)

    expect(await stored(engine, id)).toEqual({ ...row, attempt: 1 })
    expect(await engine.task(id)).toMatchObject({
      state,
      output: name === 'complete' ? { sum: 7 } : null,
    })
    expect(await engine.rows('select from claims')).toEqual([])
    expect(await first(fetchq(`select fetchq.doc_push('q1', 'a')`))).toBe(0)
    expect(await engine.rows(`select task from events where event = $1`, event)).toEqual([
      { task: id },
    ])
    const counted = state === 'done' ? 'done' : 'failed'
    expect(await engine.value(`select sum(${counted})::int from deltas`)).toBe(1)
    expect(await world.heard('finished')).toEqual([id])
    expect(await engine.rows('select reason from attempts')).toEqual(
      name === 'kill' ? [{ reason: 'killed' }] : [],
    )
    expect(await first(fetchq(`select ${untold[name]}`))).toBe(0)
  },
})

/** The dialect fetchq. */
export const fetchqScenarios: readonly Scenario[] = [
  {
    name: 'fetchq push stores subject, version, priority, time and payload',
    about: ['fetchq', 'store'],
    doors: 'one',
    run: async (world) => {
      const { fetchq, engine } = world
      await fetchq(`select fetchq.queue_create('q1')`)
      expect(
        await first(fetchq(`select fetchq.doc_push('q1', 'a', 4, 7, $1, '{"n": 1}')`, farAhead)),
      ).toBe(1)
      const { row } = await onlyTask(world)
      expect(row).toMatchObject({ ...document, key: 'a', run_at: farAhead })
      expect(await engine.value('select sum(enqueued)::int from deltas')).toBe(1)
    },
  },
  {
    name: 'fetchq append stores version, priority and payload under a subject of its own',
    about: ['fetchq', 'store', 'key'],
    doors: 'one',
    run: async (world) => {
      const { fetchq } = world
      await fetchq(`select fetchq.queue_create('q1')`)
      const subject = await first<string>(
        fetchq(`select fetchq.doc_append('q1', '{"n": 1}', 4, 7)`),
      )
      const { row } = await onlyTask(world)
      expect(row).toMatchObject({ ...document, key: subject, run_at: row['created_at'] })
      expect(await first(fetchq(`select fetchq.doc_push('q1', $1)`, subject))).toBe(0)
    },
  },
  {
    name: 'fetchq push of many stores each with its own subject, priority and payload',
    about: ['fetchq', 'store', 'count', 'event', 'notify'],
    doors: 'one',
    run: async ({ fetchq, engine, heard }) => {
      await fetchq(`select fetchq.queue_create('q1')`)
      await engine.setQueue('q1', { records_events: true })
      await engine.rows(
        `insert into sleepers (queue, worker, until) values ('q1', 'w', clock_timestamp() + interval '1 hour')`,
      )
      const values = `('a', 7, '{"n": 1}', {DATA}), ('b', 3, '{"n": 2}', {DATA})`
      expect(await first(fetchq(`select fetchq.doc_push('q1', 4, now(), $1)`, values))).toBe(2)
      const ids = await engine.rows<{ id: string }>('select id from tasks order by key')
      const [a, b] = await Promise.all(ids.map(({ id }) => stored(engine, id)))
      expect(a).toMatchObject({ ...document, key: 'a', run_at: a?.['created_at'], attempt: 0 })
      expect(b).toMatchObject({ ...document, key: 'b', priority: 3, payload: { n: 2 } })
      expect(a?.['submitted_by']).toBe(await engine.value('select current_user'))
      expect(await first(fetchq(`select fetchq.doc_push('q1', 4, now(), $1)`, values))).toBe(0)
      expect(await engine.value('select sum(enqueued)::int from deltas')).toBe(2)
      expect(await engine.rows(`select from events where event = 'enqueue'`)).toHaveLength(2)
      expect(await heard('ready')).toEqual(['q1'])
      expect(await fetchq(`select subject from fetchq.doc_pick('q1', 4, 9, '1 hour')`)).toEqual([
        { subject: 'a' },
        { subject: 'b' },
      ])
      expect(
        await first(
          fetchq(`select fetchq.doc_push('q1', 4, $1, $2)`, farAhead, `('c', 0, '{}', {DATA})`),
        ),
      ).toBe(1)
      expect(await engine.value(`select run_at from tasks where key = 'c'`)).toEqual(farAhead)
    },
  },
  {
    name: 'fetchq pick of one hands over the document, under a claim that is written down',
    about: ['fetchq', 'claim', 'lease', 'count', 'event'],
    doors: 'one',
    run: async (world) => {
      const { engine } = world
      const { found, token, id, row } = await picked(world)
      expect(found).toMatchObject({
        subject: 'a',
        payload: { n: 1 },
        version: 4,
        priority: 7,
        attempts: 1,
        iterations: '0',
        created_at: row['created_at'],
      })
      await expectFromNow(engine, found['next_iteration'], 3600)
      expect(row).toMatchObject({ ...document, attempt: 1 })
      const [claim] = await engine.rows('select id, queue, open, tasks, expires_at from claims')
      expect(claim).toMatchObject({ id: token, queue: 'q1', open: 1, tasks: [id] })
      await expectFromNow(engine, claim?.['expires_at'], 3600)
      expect(await engine.value('select sum(claimed)::int from deltas')).toBe(1)
      expect(await engine.rows(`select task from events where event = 'claim'`)).toEqual([
        { task: id },
      ])
      expect(await engine.claim('q1', { limit: 9 })).toEqual([])
    },
  },
  {
    name: 'fetchq pick of one goes by priority, time and arrival, and heeds version, time, deadline and pause',
    about: ['fetchq', 'claim'],
    doors: 'one',
    run: async ({ fetchq, engine }) => {
      await fetchq(`select fetchq.queue_create('q1')`)
      const push = (subject: string, priority: number, minutes: number, version = 0) =>
        fetchq(
          `select fetchq.doc_push('q1', $1, $2, $3, $4, '{}')`,
          subject,
          version,
          priority,
          new Date(Date.UTC(2021, 0, 1, 0, minutes)),
        )
      await push('late', 0, 9)
      await push('early', 0, 1)
      await push('next', 0, 1)
      await push('high', 5, 9)
      await push('other version', 9, 0, 3)
      await push('over', 9, 0)
      await push('running', 9, 0)
      await push('later', 9, 0)
      await engine.rows(
        `update tasks set deadline = clock_timestamp() - interval '1 minute' where key = 'over'`,
      )
      await engine.rows(
        `update tasks set run_at = clock_timestamp() + interval '1 hour' where key = 'later'`,
      )
      expect(await first(fetchq(`select subject from fetchq.doc_pick('q1', 0, 1, '1 hour')`))).toBe(
        'running',
      )
      await engine.pause('q1')
      expect(await fetchq(`select subject from fetchq.doc_pick('q1', 0, 1, '1 hour')`)).toEqual([])
      await engine.resume('q1')
      for (const wanted of ['high', 'early', 'next', 'late', undefined]) {
        expect(
          await first(fetchq(`select subject from fetchq.doc_pick('q1', 0, 1, '1 hour')`)),
        ).toBe(wanted)
      }
    },
  },
  {
    name: 'fetchq pick of one heeds the limits of the queue and of groups, turns and keys to be given back',
    about: ['fetchq', 'claim', 'limit', 'key'],
    doors: 'one',
    run: async ({ fetchq, engine }) => {
      const pick = () => fetchq(`select subject from fetchq.doc_pick('q1', 0, 1, '1 hour')`)
      const put = (key: string, more: object = {}) =>
        engine.enqueue({ queue: 'q1', kind: 'document', version: 0, key, ...more })
      await fetchq(`select fetchq.queue_create('q1')`)
      await engine.setGroup('g', { max_running: 1 })
      await put('a', { groups: ['g'] })
      await put('b', { groups: ['g'] })
      expect(await pick()).toHaveLength(1)
      expect(await engine.value(`select running from groups where name = 'g'`)).toBe(1)
      expect(await pick()).toEqual([])
      await put('c', { freesKey: true })
      expect(await pick()).toEqual([{ subject: 'c' }])
      expect(await engine.rows(`select from keys where key = 'c'`)).toEqual([])
      await engine.setQueue('q1', { max_running: 3 })
      await put('d')
      await put('e')
      expect(await pick()).toEqual([{ subject: 'd' }])
      expect(await pick()).toEqual([])
      expect(await engine.value(`select running from groups where name = '@q1'`)).toBe(3)
    },
  },
  endsDocument('complete', true),
  endsDocument('complete', false),
  endsDocument('kill', true),
  endsDocument('kill', false),
  {
    name: 'fetchq drop leaves nothing of the document, and frees its subject',
    about: ['fetchq', 'end', 'key', 'delete'],
    doors: 'one',
    run: async (world) => {
      const { engine, fetchq } = world
      const { token } = await picked(world)
      expect(await first(fetchq(`select fetchq.doc_drop('q1', 'a', $1)`, token))).toBe(1)
      for (const table of ['tasks', 'finished', 'claims', 'keys']) {
        expect(await engine.rows(`select from ${table}`)).toEqual([])
      }
      expect(await engine.value('select sum(cancelled)::int from deltas')).toBe(1)
      expect(await engine.rows(`select from events where event = 'delete'`)).toHaveLength(1)
      expect(await first(fetchq(`select fetchq.doc_push('q1', 'a')`))).toBe(1)
    },
  },
  ...[true, false].map(
    (hasToken): Scenario => ({
      name: `fetchq reschedule ${hasToken ? 'by token' : 'by subject'} keeps the document for another round`,
      about: ['fetchq', 'reschedule', 'lease', 'count', 'event'],
      doors: 'one',
      run: async (world) => {
        const { engine, fetchq } = world
        const { token, id, row } = await picked(world)
        const call = hasToken ? `'q1', 'a', $1, '{"n": 2}', $2` : `'q1', 'a', $1, '{"n": 2}'`
        const values = hasToken ? [farAhead, token] : [farAhead]
        expect(await first(fetchq(`select fetchq.doc_reschedule(${call})`, ...values))).toBe(1)
        expect(await stored(engine, id)).toEqual({
          ...row,
          run_at: farAhead,
          iteration: '1',
          attempt: 0,
          payload: { n: 2 },
        })
        expect(await engine.rows('select from claims')).toEqual([])
        expect(await engine.value('select sum(requeued)::int from deltas')).toBe(1)
        expect(await engine.rows(`select from events where event = 'requeue'`)).toHaveLength(1)
        expect(await first(fetchq(`select fetchq.doc_push('q1', 'a')`))).toBe(0)
      },
    }),
  ),
  {
    name: 'fetchq reject brings the document back when its lock would have ended',
    about: ['fetchq', 'requeue'],
    doors: 'one',
    run: async (world) => {
      const { engine, fetchq } = world
      const { token, id, row, found } = await picked(world)
      expect(
        await first(fetchq(`select fetchq.doc_reject('q1', 'a', 'no', '{}', null, $1)`, token)),
      ).toBe(1)
      expect(await stored(engine, id)).toEqual({ ...row, run_at: found['next_iteration'] })
      expect(await engine.rows('select reason from attempts')).toEqual([{ reason: 'rejected' }])
      expect(await engine.rows('select from claims')).toEqual([])
    },
  },
]
