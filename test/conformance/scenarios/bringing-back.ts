import { expect } from 'vitest'
import {
  expectFromNow,
  farAhead,
  json,
  keep,
  keepRunning,
  sampleNames,
  stored,
  without,
} from '../samples.ts'
import type { Scenario } from '../scenario.ts'

/** What amend() may change, each to a value that no other property of its type has. */
const changes = {
  payload: { amended: true },
  meta: { amended: 'meta' },
  retention: '03:33:00',
  run_at: '2099-01-01T00:00:00.000Z',
  deadline: '2099-05-05T00:00:00.000Z',
  priority: 21,
  version: 22,
  groups: ['new group'],
  max_running: 23,
  tags: ['new tag'],
  timeout: '00:44:00',
  max_attempts: 24,
  backoff: { kind: 'fixed', base: '55 seconds' },
} as const

const times = new Set(['run_at', 'deadline'])
const amendedTo = (name: string, value: unknown) =>
  times.has(name) ? new Date(value as string) : value

const amendsOne = (isFinished: boolean): Scenario => ({
  name: `amend changes each property by itself, of a task that ${isFinished ? 'has ended' : 'waits'}`,
  about: ['amend'],
  run: async ({ engine }) => {
    const { id, task, row } = await keepRunning(engine, 'full')
    if (isFinished) await engine.kill(task)
    else await engine.release([task])
    const parent = await engine.value<string>(`select id from enqueue('parents')`)
    let wanted = { ...row, attempt: isFinished ? 1 : 0 }
    for (const [name, value] of Object.entries({ ...changes, parent })) {
      await engine.amend(id, { [name]: json(value) })
      wanted = { ...wanted, [name]: amendedTo(name, value) }
      expect(await stored(engine, id)).toEqual(wanted)
    }
  },
})

export const bringingBack: readonly Scenario[] = [
  ...sampleNames.map(
    (sample): Scenario => ({
      name: `retry brings a ${sample} task back with every property but its deadline`,
      about: ['retry'],
      run: async ({ engine }) => {
        const { id, row, task } = await keepRunning(engine, sample)
        await engine.kill(task)
        await engine.retry(id)
        const back = await stored(engine, id)
        expect(without(back, 'run_at')).toEqual(without({ ...row, deadline: null }, 'run_at'))
        await expectFromNow(engine, back['run_at'], 0)
        expect(await engine.rows('select from finished')).toEqual([])
        expect(await engine.claimOne('reports')).toMatchObject({ id, attempt: 1 })
      },
    }),
  ),
  {
    name: 'retry begins the attempts anew and keeps the iteration',
    about: ['retry', 'history', 'end'],
    run: async ({ engine }) => {
      const first = await engine.running()
      await engine.reschedule(first, new Date(0))
      const task = await engine.claimOne('mail')
      await engine.complete(task)
      expect(await stored(engine, task.id)).toMatchObject({ attempt: 1, iteration: '1' })
      await engine.retry(task.id)
      expect(await stored(engine, task.id)).toMatchObject({ attempt: 0, iteration: '1' })
    },
  },
  {
    name: 'retry leaves a task to the one who submitted it',
    about: ['retry'],
    run: async ({ engine }) => {
      const task = await engine.running()
      await engine.complete(task)
      await engine.rows(`update finished set submitted_by = 'another'`)
      await engine.retry(task.id)
      expect(await stored(engine, task.id)).toMatchObject({ submitted_by: 'another' })
    },
  },
  {
    name: 'retry takes a time and a corrected payload',
    about: ['retry'],
    run: async ({ engine }) => {
      const task = await engine.running({ payload: 1 })
      await engine.complete(task)
      await engine.retry(task.id, farAhead, 2)
      expect(await stored(engine, task.id)).toMatchObject({ payload: 2, run_at: farAhead })
      expect(await engine.claim('mail')).toEqual([])
    },
  },
  {
    name: 'retry takes the key again, and is refused while another task holds it',
    about: ['retry', 'key'],
    run: async ({ engine }) => {
      const task = await engine.running({ key: 'k' })
      await engine.complete(task)
      await engine.retry(task.id)
      expect(await engine.enqueue({ queue: 'mail', key: 'k' })).toEqual({
        id: task.id,
        outcome: 'kept',
      })
      await engine.complete(await engine.claimOne('mail'))
      const other = await engine.enqueue({ queue: 'mail', key: 'k' })
      await expect(engine.retry(task.id)).rejects.toMatchObject({ code: 'key_taken' })
      expect(await engine.task(other.id)).toMatchObject({ state: 'ready' })
      expect(await engine.task(task.id)).toMatchObject({ state: 'done' })
    },
  },
  {
    name: 'retry counts the task, records an event and wakes a worker',
    about: ['retry', 'count', 'event', 'notify'],
    run: async ({ engine, heard }) => {
      await engine.setQueue('mail', { records_events: true })
      const task = await engine.running()
      await engine.complete(task)
      await engine.rows(
        `insert into sleepers (queue, worker, until) values ('mail', 'w', clock_timestamp() + interval '1 hour')`,
      )
      await engine.retry(task.id)
      expect(await engine.value('select sum(enqueued)::int from deltas')).toBe(2)
      const events = await engine.rows<{ event: string }>('select event from events order by id')
      expect(events.map(({ event }) => event)).toEqual(['enqueue', 'claim', 'complete', 'retry'])
      expect(await heard('ready')).toEqual(['mail'])
    },
  },
  {
    name: 'retry opens the lane of the task again',
    about: ['retry'],
    run: async ({ engine }) => {
      const task = await engine.running({ priority: 3 })
      await engine.complete(task)
      await engine.rows('delete from lanes')
      await engine.retry(task.id)
      expect(await engine.claim('mail')).toMatchObject([{ id: task.id }])
    },
  },
  amendsOne(false),
  amendsOne(true),
  {
    name: 'amend changes many properties at once, and opens the lane of the new priority',
    about: ['amend'],
    run: async ({ engine }) => {
      const { id, row } = await keep(engine, 'full')
      const { run_at: _, ...now } = changes
      await engine.amend(id, now)
      expect(await stored(engine, id)).toEqual({ ...row, ...now, deadline: new Date(now.deadline) })
      expect(await engine.claimOne('reports')).toMatchObject({ id, priority: 21, version: 22 })
    },
  },
  {
    name: 'amend changes of a task that runs only what comes after the run',
    about: ['amend', 'end'],
    run: async ({ engine }) => {
      const task = await engine.running()
      await expect(engine.amend(task.id, { priority: 3 })).rejects.toMatchObject({
        code: 'wrong_state',
      })
      await engine.amend(task.id, { retention: '2 hours', payload: 2 })
      await engine.complete(task)
      expect(
        await engine.rows(
          'select payload, extract(epoch from keep_until - finished_at)::int as kept from finished',
        ),
      ).toEqual([{ payload: 2, kept: 7200 }])
    },
  },
  {
    name: 'amend moves a task that waits for its group, and records an event',
    about: ['amend', 'limit', 'event'],
    run: async ({ engine }) => {
      await engine.setQueue('mail', { records_events: true })
      await engine.setGroup('g', { max_running: 1 })
      await engine.running({ groups: ['g'] })
      const { id } = await engine.enqueue({ queue: 'mail', groups: ['g'] })
      expect(await engine.claim('mail')).toEqual([])
      await engine.amend(id, { groups: ['h'] })
      expect(await engine.claim('mail')).toMatchObject([{ id }])
      expect(await engine.rows(`select task from events where event = 'amend'`)).toEqual([
        { task: id },
      ])
    },
  },
  {
    name: 'move gives a task that waits another time and nothing else',
    about: ['amend'],
    run: async ({ engine }) => {
      const { id, row } = await keep(engine, 'full')
      await engine.move(id, farAhead)
      expect(await stored(engine, id)).toEqual({ ...row, run_at: farAhead })
      expect(await engine.claim('reports')).toEqual([])
    },
  },
]
