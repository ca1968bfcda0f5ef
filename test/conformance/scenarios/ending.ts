import { expect } from 'vitest'
import { expectFromNow, keepRunning, sampleNames, seconds, stored } from '../samples.ts'
import type { Scenario } from '../scenario.ts'
import { freesKey, keepsKey, keepsWindow } from './ending-keys.ts'
import { type Ending, endings } from './endings.ts'

const counts =
  'select sum(done)::int as done, sum(failed)::int as failed, sum(cancelled)::int as cancelled from deltas'

const keepsProperties = (ending: Ending): Scenario[] =>
  sampleNames.map((sample) => ({
    name: `${ending.name} keeps every property of a ${sample} task in the history`,
    about: ['history', ...ending.about],
    run: async ({ engine }) => {
      const { id, row, task } = await keepRunning(engine, sample)

      await ending.end(engine, task)

      expect(await stored(engine, id)).toEqual({ ...row, attempt: 1 })
      expect(await engine.rows('select from tasks where id = $1', id)).toEqual([])
    },
  }))

const tellsStory = (ending: Ending): Scenario => ({
  name: `${ending.name} writes what became of the task, by whom and how long it is kept`,
  about: ['history', ...ending.about],
  run: async ({ engine }) => {
    await engine.setQueue('mail', {
      keep_done: '2 days',
      keep_failed: '3 days',
      keep_cancelled: '4 days',
    })
    const days = { done: 2, failed: 3, cancelled: 4 }[ending.state]
    const task = await engine.running({}, { worker: 'ada' })
    await engine.rows(`update claims set claimed_at = claimed_at - interval '1 hour'`)
    const began = await engine.value('select claimed_at from claims')

    await ending.end(engine, task)

    const [row] = await engine.rows(
      'select state, reason, output, error, worker, started_at, finished_at, keep_until from finished',
    )
    const { state, reason, output, error } = ending
    expect(row).toMatchObject({ state, reason, output, error, worker: 'ada', started_at: began })
    await expectFromNow(engine, row?.['finished_at'], 0)
    expect(seconds(row?.['keep_until']) - seconds(row?.['finished_at'])).toBeCloseTo(days * 86_400)
  },
})

const heedsRetention = (ending: Ending): Scenario => ({
  name: `${ending.name} keeps the task as long as its own retention says`,
  about: ['history', ...ending.about],
  run: async ({ engine }) => {
    const task = await engine.running({ retention: '5 hours' })
    await ending.end(engine, task)
    expect(
      await engine.value('select extract(epoch from keep_until - finished_at)::int from finished'),
    ).toBe(5 * 3600)
  },
})

const forgets = (ending: Ending): Scenario => ({
  name: `${ending.name} leaves nothing of a task whose queue keeps nothing`,
  about: ['history', 'key', ...ending.about],
  run: async ({ engine }) => {
    await engine.setQueue('mail', {
      keep_done: '0',
      keep_failed: '0',
      keep_cancelled: '0',
      keeps_keys: true,
    })
    const task = await engine.running({ key: 'k', maxAttempts: 9 })
    await engine.rows(
      `insert into logs (task, attempt, level, message) values ($1, 1, 'info', 'hello')`,
      task.id,
    )
    await engine.rows(
      `insert into attempts (task, iteration, attempt, ended_at, reason) values ($1, 0, 1, clock_timestamp(), 'error')`,
      task.id,
    )
    await ending.end(engine, task)
    for (const table of ['tasks', 'finished', 'attempts', 'logs', 'keys', 'claims']) {
      expect(await engine.rows(`select from ${table}`)).toEqual([])
    }
  },
})

const closesClaim = (ending: Ending): Scenario => ({
  name: `${ending.name} closes the claim with its last task, and not before`,
  about: ['lease', ...ending.about],
  run: async ({ engine }) => {
    await engine.enqueue({ queue: 'mail' })
    await engine.enqueue({ queue: 'mail' })
    const [first, second] = await engine.claim('mail', { limit: 2 })
    if (first === undefined || second === undefined) throw new Error('two tasks were claimed')

    await ending.end(engine, first)
    expect(await engine.rows('select open from claims')).toEqual([{ open: 1 }])
    expect(await engine.task(second.id)).toMatchObject({ state: 'running' })
    await ending.end(engine, second)

    expect(await engine.rows('select from claims')).toEqual([])
    expect(await engine.rows('select from lease_notes')).toEqual([])
  },
})

const freesSlot = (ending: Ending): Scenario => ({
  name: `${ending.name} frees the slot of the task in its groups and its queue`,
  about: ['limit', ...ending.about],
  run: async ({ engine }) => {
    await engine.setGroup('g', { max_running: 1 })
    await engine.setQueue('mail', { max_running: 1 })
    const task = await engine.running({ groups: ['g'] })
    await engine.enqueue({ queue: 'mail', groups: ['g'] })
    await engine.enqueue({ queue: 'post', groups: ['g'] })
    expect(await engine.claim('mail')).toEqual([])
    expect(await engine.claim('post')).toEqual([])

    await ending.end(engine, task)

    expect(await engine.rows('select name, running from groups order by name')).toEqual([
      { name: '@mail', running: 0 },
      { name: 'g', running: 0 },
    ])
    const next = [...(await engine.claim('mail')), ...(await engine.claim('post'))]
    expect(next).toHaveLength(1)
  },
})

const freesQueueSlot = (ending: Ending): Scenario => ({
  name: `${ending.name} frees the slot of a task without groups in a queue with a limit`,
  about: ['limit', ...ending.about],
  run: async ({ engine }) => {
    await engine.setQueue('mail', { max_running: 1 })
    const task = await engine.running()
    await engine.enqueue({ queue: 'mail' })
    expect(await engine.claim('mail')).toEqual([])
    await ending.end(engine, task)
    expect(await engine.claim('mail')).toHaveLength(1)
  },
})

const counted = (ending: Ending): Scenario => ({
  name: `${ending.name} counts the task, with when it was due and began`,
  about: ['count', ...ending.about],
  run: async ({ engine }) => {
    const runAt = new Date(Date.UTC(2021, 2, 3))
    const task = await engine.running({ runAt })
    const began = await engine.value('select claimed_at from claims')
    await ending.end(engine, task)
    const none = { done: 0, failed: 0, cancelled: 0 }
    expect(await engine.rows(counts)).toEqual([{ ...none, [ending.state]: 1 }])
    const [times] = await engine.rows(
      'select due_ats, started_ats, queue from deltas where due_ats is not null',
    )
    expect(times).toEqual({ due_ats: [runAt], started_ats: [began], queue: 'mail' })
  },
})

const recorded = (ending: Ending): Scenario => ({
  name: `${ending.name} records an event where the queue records events`,
  about: ['event', ...ending.about],
  run: async ({ engine }) => {
    await engine.setQueue('mail', { records_events: true })
    const task = await engine.running()
    await ending.end(engine, task)
    const events = await engine.rows<{ event: string }>(
      'select event from events where task = $1 order by id',
      task.id,
    )
    expect(events.map(({ event }) => event)).toEqual(['enqueue', 'claim', ending.event])
  },
})

const followed = (ending: Ending): Scenario => ({
  name: `${ending.name} records an event while a client follows`,
  about: ['event', ...ending.about],
  run: async ({ engine }) => {
    await engine.follow('1 hour')
    const task = await engine.running()
    await ending.end(engine, task)
    const events = await engine.rows<{ event: string }>('select event from events order by id')
    expect(events.map(({ event }) => event)).toEqual(['enqueue', 'claim', ending.event])
  },
})

const rings = (ending: Ending): Scenario => ({
  name: `${ending.name} rings those who wait for the task${ending.tellsWorker ? ', and tells its worker' : ''}`,
  about: ['notify', ...ending.about],
  run: async ({ engine, heard }) => {
    const task = await engine.running()
    const other = await engine.running({ queue: 'post' })
    await engine.rows(
      `insert into waiters (task, until) values ($1, clock_timestamp() + interval '1 hour')`,
      task.id,
    )
    await ending.end(engine, other)
    expect(await heard('finished')).toEqual([])
    await ending.end(engine, task)
    expect(await heard('finished')).toEqual([task.id])
    const shown = await heard('cancel')
    expect(shown.map((text) => text.split(' ')[0])).toEqual(
      ending.tellsWorker ? [other.id, task.id] : [],
    )
  },
})

const notes = (ending: Ending): Scenario => ({
  name: `${ending.name} ${ending.notesAttempt ? 'writes the attempt down with its error' : 'writes no failed attempt down'}`,
  about: ['history', ...ending.about],
  run: async ({ engine }) => {
    const task = await engine.running({}, { worker: 'ada' })
    await ending.end(engine, task)
    const { reason, error } = ending
    const wanted = { task: task.id, iteration: '0', attempt: 1, worker: 'ada', reason, error }
    const attempts = await engine.rows(
      'select task, iteration, attempt, worker, reason, error from attempts',
    )
    expect(attempts).toEqual(ending.notesAttempt ? [wanted] : [])
    const failures = await engine.rows('select queue, task, reason, code, message from failures')
    const failure = { queue: 'mail', task: task.id, reason, code: 'broken', message: 'it broke' }
    expect(failures).toEqual(ending.notesAttempt ? [failure] : [])
  },
})

const wakes = (ending: Ending): Scenario => ({
  name: `${ending.name} wakes a worker that sleeps on a queue with a limit`,
  about: ['notify', 'limit', ...ending.about],
  run: async ({ engine, heard }) => {
    await engine.setQueue('mail', { max_running: 1 })
    const task = await engine.running()
    await engine.rows(
      `insert into sleepers (queue, worker, until) values ('mail', 'w', clock_timestamp() + interval '1 hour')`,
    )
    await ending.end(engine, task)
    expect(await heard('ready')).toEqual(['mail'])
  },
})

const reported: readonly Scenario[] = (
  ['complete', 'complete_many', 'fail', 'fail_many'] as const
).map((verb) => ({
  name: `${verb} takes the time of the start from the worker`,
  about: ['history', 'end', 'count'],
  doors: 'one',
  run: async ({ engine }) => {
    const task = await engine.running({ maxAttempts: 1 })
    const began = await engine.value<Date>(`select clock_timestamp() - interval '1 minute'`)
    const text = verb.endsWith('many')
      ? `select ${verb}(array[$1::bigint], array[$2::bigint], p_started_ats => array[$3::timestamptz])`
      : `select ${verb}($1, $2, p_started_at => $3)`
    await engine.rows(text, task.id, task.claim, began)
    expect(await engine.value('select started_at from finished')).toEqual(began)
    expect(
      await engine.value('select started_ats from deltas where started_ats is not null'),
    ).toEqual([began])
  },
}))

export const ending: readonly Scenario[] = [
  ...reported,
  ...endings.flatMap((one) => [
    ...keepsProperties(one),
    tellsStory(one),
    heedsRetention(one),
    forgets(one),
    closesClaim(one),
    freesSlot(one),
    freesQueueSlot(one),
    freesKey(one),
    keepsKey(one, true),
    keepsKey(one, false),
    keepsWindow(one),
    counted(one),
    recorded(one),
    followed(one),
    rings(one),
    wakes(one),
    notes(one),
  ]),
]
