import type pg from 'pg'
import { describe, expect } from 'vitest'
import type { Held } from '../../src/engine/outcomes.ts'
import { test as base } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

/** What a listening worker has heard, after a sound of its own has come round. */
type Heard = () => Promise<string[]>

const test = base.extend<{ heard: Heard }>({
  heard: async ({ schema, connect }, use) => {
    const client = await connect()
    const sounds: string[] = []
    client.on('notification', ({ channel, payload }) => {
      sounds.push(`${channel.slice(schema.length + 1)} ${payload ?? ''}`)
    })
    for (const channel of ['ready', 'cancel', 'drain', 'echo']) {
      await client.query(`listen "${schema}:${channel}"`)
    }
    await use(async () => {
      await echo(client, schema)
      return sounds.splice(0).filter((sound) => !sound.startsWith('echo'))
    })
  },
})

/** Postgres delivers in the order of commits: once our own came back, all before it are there. */
async function echo(client: pg.Client, schema: string): Promise<void> {
  const back = new Promise<void>((resolve) => {
    client.on('notification', ({ channel }) => {
      if (channel.endsWith(':echo')) resolve()
    })
  })
  await client.query('select pg_notify($1, $2)', [`${schema}:echo`, ''])
  await back
}

/** Every verb that makes a task due, or lets one start that was. */
const waysBack: Record<
  string,
  (engine: TestEngine, running: Held, done: Held) => Promise<unknown>
> = {
  release: (engine, running) => engine.release([running]),
  reschedule: (engine, running) => engine.reschedule(running, new Date()),
  fail: (engine, running) => engine.fail(running),
  rescue: (engine, running) => engine.pass('31 seconds', running.id).then(engine.rescue),
  retry: (engine, _, done) => engine.retry(done.id),
  resume: (engine) => engine.resume('mail'),
}

describe('sleep', () => {
  test('lets the worker be rung when a task becomes due', async ({ engine, heard }) => {
    await engine.rows(`select sleep('w1', '{mail,post}')`)

    await engine.enqueue({ queue: 'mail' })

    expect(await heard()).toEqual(['ready mail'])
  })

  test('rings once per queue and transaction, however many tasks there are', async ({
    engine,
    heard,
    connect,
  }) => {
    await engine.rows(`select sleep('w1', '{mail,post}'), sleep('w2', '{mail}')`)
    const client = await connect()
    await client.query('begin')
    await engine.on(client).enqueueMany([{ queue: 'mail' }, { queue: 'mail' }])
    await engine.on(client).enqueueMany([{ queue: 'mail' }, { queue: 'post' }])

    await client.query('commit')

    expect((await heard()).sort()).toEqual(['ready mail', 'ready post'])
  })

  test('rings no worker while none sleeps', async ({ engine, heard }) => {
    await engine.enqueue({ queue: 'mail' })
    await engine.rows(`select sleep('w1', '{post}')`)
    await engine.enqueue({ queue: 'mail' })

    expect(await heard()).toEqual([])
  })

  test('rings no worker whose sleep is over', async ({ engine, heard }) => {
    await engine.rows(`select sleep('w1', '{mail}')`)
    const task = await engine.running()
    await heard()
    await engine.pass('61 seconds')

    await engine.enqueue({ queue: 'mail' })
    await engine.release([task])
    await engine.resume('mail')

    expect(await heard()).toEqual([])
  })

  test('rings no worker for a task that is due after it wakes', async ({ engine, heard }) => {
    await engine.rows(`select sleep('w1', '{mail}', '1 minute')`)

    await engine.enqueue({ queue: 'mail', runAt: new Date(Date.now() + 3_600_000) })

    expect(await heard()).toEqual([])
  })

  test('rings for a task that is due before they wake', async ({ engine, heard }) => {
    await engine.rows(`select sleep('w1', '{mail}', '1 minute')`)

    await engine.enqueue({ queue: 'mail', runAt: new Date(Date.now() + 30_000) })

    expect(await heard()).toEqual(['ready mail'])
  })

  test('rings for the one due task of a bulk for later', async ({ engine, heard }) => {
    await engine.rows(`select sleep('w1', '{mail}')`)

    await engine.enqueueMany([
      { queue: 'mail', runAt: new Date(Date.now() + 3_600_000) },
      { queue: 'mail' },
    ])

    expect(await heard()).toEqual(['ready mail'])
  })

  test('rings no worker for what is rolled back', async ({ engine, heard, connect }) => {
    await engine.rows(`select sleep('w1', '{mail}')`)
    const client = await connect()
    await client.query('begin')
    await engine.on(client).enqueue({ queue: 'mail' })

    await client.query('rollback')

    expect(await heard()).toEqual([])
  })

  test.for(Object.keys(waysBack))(
    'rings when a task comes back by %s',
    async (verb, { engine, heard }) => {
      const running = await engine.running()
      const done = await engine.inState('done')
      await engine.rows(`select sleep('w1', '{mail}')`)

      await waysBack[verb]?.(engine, running, done)

      expect(await heard()).toEqual(['ready mail'])
    },
  )

  test('rings when a task is moved forward', async ({ engine, heard }) => {
    const { id } = await engine.enqueue({ queue: 'mail', runAt: new Date('2100-01-01') })
    await engine.rows(`select sleep('w1', '{mail}')`)

    await engine.move(id, new Date())

    expect(await heard()).toEqual(['ready mail'])
  })

  test('answers with the time of the next task that becomes due', async ({ engine }) => {
    const soon = new Date(Date.now() + 60_000)
    await engine.enqueueMany([
      { queue: 'mail', runAt: new Date(Date.now() + 120_000) },
      { queue: 'post', runAt: soon, priority: -1 },
      { queue: 'other', runAt: new Date(Date.now() + 30_000) },
    ])

    expect(await engine.value(`select sleep('w1', '{mail,post}')`)).toEqual(soon)
  })

  test('answers nothing when nothing is ahead', async ({ engine }) => {
    expect(await engine.value(`select sleep('w1', '{mail}')`)).toBeNull()
  })
})

describe('wake', () => {
  test('ends the ringing', async ({ engine, heard }) => {
    await engine.rows(`select sleep('w1', '{mail}')`)
    await engine.rows(`select wake('w1')`)

    await engine.enqueue({ queue: 'mail' })

    expect(await heard()).toEqual([])
  })

  test('leaves the sleep of others alone', async ({ engine, heard }) => {
    await engine.rows(`select sleep('w1', '{mail}'), sleep('w2', '{mail}')`)
    await engine.rows(`select wake('w1')`)

    await engine.enqueue({ queue: 'mail' })

    expect(await heard()).toEqual(['ready mail'])
  })
})

describe('those who work', () => {
  test('hear at once which of their tasks was cancelled or deleted', async ({ engine, heard }) => {
    const cancelled = await engine.running()
    const deleted = await engine.running()
    const waiting = await engine.enqueue({ queue: 'mail' })

    await engine.cancel(cancelled.id)
    await engine.delete(deleted.id)
    await engine.cancel(waiting.id)

    expect(await heard()).toEqual([
      `cancel ${cancelled.id} ${cancelled.claim}`,
      `cancel ${deleted.id} ${deleted.claim}`,
    ])
  })

  test('hear at once that they shall drain', async ({ engine, heard }) => {
    await engine.rows(`select register_worker('w1', '{mail}', 4, 'host', 123, '1.0')`)

    await engine.rows(`select drain_worker('w1')`)

    expect(await heard()).toEqual(['drain w1'])
  })
})
