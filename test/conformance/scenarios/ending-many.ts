import { expect } from 'vitest'
import type { ClaimedTask } from '../../../src/engine/task.ts'
import type { TestEngine } from '../../support/test-engine.ts'
import type { Scenario, Subject } from '../scenario.ts'
import { threeRunning } from './three-running.ts'

/** A way in which many tasks end in one call. The n-th has the n-th output or error. */
interface EndingOfMany {
  readonly name: string
  readonly about: readonly Subject[]
  readonly state: 'done' | 'failed' | 'cancelled'
  readonly event: string
  readonly story: (n: number) => object
  readonly end: (engine: TestEngine, tasks: readonly ClaimedTask[]) => Promise<unknown>
}

const errorOf = (n: number) => ({ code: `broken ${n}`, message: 'it broke' })

const endings: readonly EndingOfMany[] = [
  {
    name: 'complete_many',
    about: ['end'],
    state: 'done',
    event: 'complete',
    story: (n) => ({ reason: null, output: { n }, error: null }),
    end: (engine, tasks) =>
      engine.completeMany(
        tasks,
        tasks.map((_, n) => ({ n })),
      ),
  },
  {
    name: 'fail_many without another attempt',
    about: ['end', 'requeue'],
    state: 'failed',
    event: 'fail',
    story: (n) => ({ reason: n === 0 ? 'timeout' : 'error', output: null, error: errorOf(n) }),
    end: (engine, tasks) =>
      engine.failMany(
        tasks.map(({ id, claim }, n) => ({
          id,
          claim,
          error: errorOf(n),
          reason: n === 0 ? ('timeout' as const) : ('error' as const),
          retry: false,
        })),
      ),
  },
  {
    name: 'cancel_many',
    about: ['end', 'cancel'],
    state: 'cancelled',
    event: 'cancel',
    story: () => ({ reason: 'aborted', output: null, error: null }),
    end: (engine, tasks) => engine.cancelMany(tasks.map(({ id }) => id)),
  },
]

const days = (first: number) => ({
  keep_done: `${first} days`,
  keep_failed: `${first + 1} days`,
  keep_cancelled: `${first + 2} days`,
})

const tellsStories = (ending: EndingOfMany): Scenario => ({
  name: `${ending.name} writes what became of each task, by whom and how long it is kept`,
  about: ['history', ...ending.about],
  doors: 'one',
  run: async ({ engine }) => {
    await engine.setQueue('mail', days(2))
    await engine.setQueue('post', days(12))
    const tasks = await threeRunning(engine)
    await engine.rows(`update claims set claimed_at = claimed_at - id * interval '1 hour'`)
    await engine.rows(
      `update tasks set started_at = timestamptz '2021-02-03' where id = $1`,
      tasks[2]?.id,
    )
    const began = await engine.rows<{ claimed_at: Date }>(
      'select claimed_at from claims order by id',
    )
    const offset = { done: 0, failed: 1, cancelled: 2 }[ending.state]

    // The last first: what is reported of a task must not go to another.
    await ending.end(engine, [...tasks].reverse())

    const rows = await engine.rows(
      `select id, state, reason, output, error, worker, started_at,
         extract(epoch from keep_until - finished_at)::int / 3600 as hours from finished order by id`,
    )
    const wanted = [
      { worker: 'ada', started_at: began[0]?.claimed_at, hours: (2 + offset) * 24 },
      { worker: 'bob', started_at: began[1]?.claimed_at, hours: (12 + offset) * 24 },
      {
        worker: 'bob',
        started_at:
          rows[2] && new Date(await engine.value<string>(`select timestamptz '2021-02-03'`)),
        hours: 5,
      },
    ]
    expect(rows).toEqual(
      tasks.map(({ id }, at) => ({
        id,
        state: ending.state,
        ...ending.story(tasks.length - 1 - at),
        ...wanted[at],
      })),
    )
  },
})

const counts = (ending: EndingOfMany): Scenario => ({
  name: `${ending.name} counts the tasks queue by queue, with when they were due and began`,
  about: ['count', ...ending.about],
  doors: 'one',
  run: async ({ engine }) => {
    const tasks = await threeRunning(engine)
    const began = await engine.rows<{ claimed_at: Date }>(
      'select claimed_at from claims order by id',
    )
    const due = await engine.rows<{ run_at: Date }>('select run_at from tasks order by id')
    await ending.end(engine, tasks)
    const none = { done: 0, failed: 0, cancelled: 0 }
    expect(
      await engine.rows(
        `select queue, done::int, failed::int, cancelled::int, due_ats, started_ats from deltas
         where due_ats is not null order by queue`,
      ),
    ).toEqual([
      {
        ...none,
        queue: 'mail',
        [ending.state]: 1,
        due_ats: [due[0]?.run_at],
        started_ats: [began[0]?.claimed_at],
      },
      {
        ...none,
        queue: 'post',
        [ending.state]: 2,
        due_ats: [due[1]?.run_at, due[2]?.run_at],
        started_ats: [began[1]?.claimed_at, began[2]?.claimed_at],
      },
    ])
    expect(await engine.rows('select from claims')).toEqual([])
  },
})

const tells = (ending: EndingOfMany): Scenario => ({
  name: `${ending.name} records events where the queue records events, and rings those who wait`,
  about: ['event', 'notify', ...ending.about],
  doors: 'one',
  run: async ({ engine, heard }) => {
    const tasks = await threeRunning(engine)
    await engine.setQueue('mail', { records_events: true })
    await engine.rows(
      `insert into waiters (task, until) values ($1, clock_timestamp() + interval '1 hour')`,
      tasks[1]?.id,
    )
    await ending.end(engine, tasks)
    expect(await engine.rows('select event, task from events')).toEqual([
      { event: ending.event, task: tasks[0]?.id },
    ])
    expect(await heard('finished')).toEqual([tasks[1]?.id])
  },
})

const frees = (ending: EndingOfMany): Scenario => ({
  name: `${ending.name} frees the slots of all the tasks in their groups and queues`,
  about: ['limit', ...ending.about],
  doors: 'one',
  run: async ({ engine }) => {
    await engine.setGroup('g', { max_running: 2 })
    await engine.setQueue('mail', { max_running: 1 })
    const tasks = [
      await engine.running({ queue: 'mail', groups: ['g'] }),
      await engine.running({ queue: 'post', groups: ['g'] }),
    ]
    const running = () => engine.rows('select name, running from groups order by name')
    expect(await running()).toEqual([
      { name: '@mail', running: 1 },
      { name: 'g', running: 2 },
    ])
    await ending.end(engine, tasks)
    expect(await running()).toEqual([
      { name: '@mail', running: 0 },
      { name: 'g', running: 0 },
    ])
  },
})

const forgets = (ending: EndingOfMany): Scenario => ({
  name: `${ending.name} leaves nothing of the tasks that are not kept, and everything of the others`,
  about: ['history', 'key', ...ending.about],
  doors: 'one',
  run: async ({ engine }) => {
    const nothing = { keep_done: '0', keep_failed: '0', keep_cancelled: '0' }
    await engine.setQueue('mail', { ...nothing, keeps_keys: true })
    await engine.setQueue('post', { keeps_keys: true })
    const gone = await engine.running({ queue: 'mail', key: 'k' })
    const kept = await engine.running({ queue: 'post', key: 'k' })
    for (const { id } of [gone, kept]) {
      await engine.rows(
        `insert into logs (task, attempt, level, message) values ($1, 1, 'info', 'hello')`,
        id,
      )
      await engine.rows(
        `insert into attempts (task, iteration, attempt, ended_at, reason) values ($1, 0, 1, clock_timestamp(), 'error')`,
        id,
      )
    }
    await ending.end(engine, [gone, kept])
    expect(await engine.rows('select id from finished')).toEqual([{ id: kept.id }])
    for (const table of ['attempts', 'logs', 'keys']) {
      expect(await engine.rows(`select distinct task from ${table}`)).toEqual([{ task: kept.id }])
    }
  },
})

/** What end_tasks() looks up for many tasks together. */
export const endingMany: readonly Scenario[] = [
  ...endings.flatMap((ending) => [
    tellsStories(ending),
    counts(ending),
    tells(ending),
    frees(ending),
    forgets(ending),
  ]),
]
