import { describe, expect } from 'vitest'
import { test as base } from '../support/engine.ts'
import { until } from '../support/until.ts'

interface TaskEvent {
  readonly xid: string
  readonly id: string
  readonly event: string
  readonly task: string
  readonly queue: string
}

type Read = (after?: TaskEvent) => Promise<TaskEvent[]>

const names = (events: TaskEvent[]) => events.map(({ event }) => event)

/** Reads on from an event, as a follower does. */
const test = base.extend<{ read: Read; readAll: () => Promise<TaskEvent[]> }>({
  read: async ({ engine }, use) => {
    await engine.setQueue('mail', { records_events: true })
    await use((after) =>
      engine.rows('select * from read_events($1, $2)', after?.xid ?? '0', after?.id ?? '0'),
    )
  },

  // Any open transaction of the server holds followers up, those of other tests too: what has
  // happened so far can be read once an event that we add now can be.
  readAll: async ({ engine, read }, use) => {
    await use(async () => {
      const mark = await engine.enqueue({
        queue: 'mail',
        priority: -1,
        runAt: new Date('2100-01-01'),
      })
      let events: TaskEvent[] = []
      await until(async () => {
        events = await read()
        return events.at(-1)?.task === mark.id
      })
      return events.slice(0, -1)
    })
  },
})

describe('events', () => {
  test('tell the life of a task', async ({ engine, readAll }) => {
    const task = await engine.running()
    await engine.fail(task, null, { delay: '0' })
    await engine.complete(await engine.claimOne('mail'))
    await engine.retry(task.id)
    await engine.cancel(task.id)

    const events = await readAll()

    expect(names(events).join(' ')).toBe('enqueue claim requeue claim done retry cancelled')
    expect(new Set(events.map(({ task: id }) => id))).toEqual(new Set([task.id]))
  })

  test('are not recorded where nobody asked for them', async ({ engine, readAll }) => {
    await engine.complete(await engine.running({ queue: 'post' }))
    await engine.enqueue({ queue: 'mail' })

    expect(await readAll()).toMatchObject([{ event: 'enqueue', queue: 'mail' }])
  })

  test('are not recorded for a duplicate that changed nothing', async ({ engine, readAll }) => {
    const press = { queue: 'mail', key: 'k', onDuplicate: 'throttle', window: '1 hour' } as const
    await engine.enqueue(press)
    await engine.enqueue(press)
    await engine.enqueue({ queue: 'mail', key: 'k' })

    expect(await readAll()).toHaveLength(1)
  })

  test('are recorded for a task that is deleted, live or finished', async ({ engine, readAll }) => {
    const done = await engine.inState('done')
    const live = await engine.enqueue({ queue: 'mail' })
    await engine.delete(done.id)
    await engine.delete(live.id)

    const events = await readAll()

    expect(names(events).filter((name) => name === 'deleted')).toHaveLength(2)
  })

  test('are gone with the transaction that is rolled back', async ({
    engine,
    readAll,
    connect,
  }) => {
    const client = await connect()
    await client.query('begin')
    await engine.on(client).enqueue({ queue: 'mail' })
    await client.query('rollback')
    const { id } = await engine.enqueue({ queue: 'mail' })

    expect(await readAll()).toMatchObject([{ task: id }])
  })
})

describe('read_events', () => {
  test('goes on after the last event that was seen', async ({ engine, read, readAll }) => {
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }])
    const [first] = await readAll()

    const rest = await read(first)

    expect(await read()).toEqual([first, ...rest])
    expect(await read(rest.at(-1))).toEqual([])
  })

  test('never skips an event of a transaction that commits late', async ({
    engine,
    read,
    readAll,
    connect,
  }) => {
    const late = await connect()
    await late.query('begin')
    await engine.on(late).enqueue({ queue: 'mail', payload: 'late' })
    await engine.enqueue({ queue: 'mail', payload: 'early' })
    expect(await read()).toEqual([])

    await late.query('commit')

    const events = await readAll()
    expect(new Set(events.map(({ task }) => task)).size).toBe(2)
  })

  test('gives as many as it is asked for', async ({ engine, readAll }) => {
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }])
    const [first] = await readAll()

    expect(await engine.rows('select * from read_events(p_limit => 1)')).toEqual([first])
  })
})
