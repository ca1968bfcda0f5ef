import pg from 'pg'
import { describe, expect, inject } from 'vitest'
import { Listener } from '../../src/db/listen.ts'
import { openProxy } from '../support/proxy.ts'
import { test as base } from '../support/schema.ts'
import { until } from '../support/until.ts'

interface Heard {
  readonly messages: string[]
  readonly changes: string[]
}

const test = base.extend<{ listener: Listener }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures' names from the pattern.
  listener: async ({}, use) => {
    const newClient = () =>
      new pg.Client({ connectionString: inject('pgUrl'), application_name: 'listener under test' })
    const listener = new Listener({ newClient, retryDelayMs: 1 })
    await use(listener)
    await listener.close()
  },
})

/** Hears a channel, and waits until that is so. */
async function hear(listener: Listener, channel: string): Promise<Heard & { stop: () => void }> {
  const heard: Heard = { messages: [], changes: [] }
  const stop = listener.hear(channel, {
    onMessage: (payload) => heard.messages.push(payload),
    onListening: () => heard.changes.push('listening'),
    onDeaf: () => heard.changes.push('deaf'),
  })
  await until(async () => heard.changes.length > 0)
  return { ...heard, stop }
}

const say = (db: pg.Pool, channel: string, payload: string) =>
  db.query('select pg_notify($1, $2)', [channel, payload])

const cut = (db: pg.Pool) =>
  db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'listener under test'`,
  )

describe('a listener', () => {
  test('hears each channel apart, whatever its name', async ({ db, listener }) => {
    const first = await hear(listener, 'a "quoted": channel')
    const second = await hear(listener, 'another')

    await say(db, 'a "quoted": channel', 'one')
    await say(db, 'another', 'two')

    await until(async () => second.messages.length > 0)
    expect([first.messages, second.messages]).toEqual([['one'], ['two']])
  })

  test('tells everyone who hears the same channel, until they stop', async ({ db, listener }) => {
    const first = await hear(listener, 'news')
    const second = await hear(listener, 'news')

    await say(db, 'news', 'one')
    await until(async () => first.messages.length + second.messages.length === 2)
    first.stop()
    await say(db, 'news', 'two')

    await until(async () => second.messages.length === 2)
    expect(first.messages).toEqual(['one'])
  })

  test('comes back by itself when its connection is lost, and says so', async ({
    db,
    listener,
  }) => {
    const heard = await hear(listener, 'news')

    await cut(db)
    await until(async () => heard.changes.length === 3)
    await say(db, 'news', 'after')

    await until(async () => heard.messages.length > 0)
    expect(heard.changes).toEqual(['listening', 'deaf', 'listening'])
    expect(heard.messages).toEqual(['after'])
  })

  test('notices that its connection fell silent, and comes back', async ({ db }) => {
    const proxy = await openProxy(inject('pgUrl'))
    const newClient = () => new pg.Client({ connectionString: proxy.url })
    const listener = new Listener({ newClient, retryDelayMs: 1, checkEveryMs: 50 })
    try {
      const heard = await hear(listener, 'news')

      proxy.forget()
      await expect.poll(() => heard.changes.slice(0, 3)).toEqual(['listening', 'deaf', 'listening'])
      await say(db, 'news', 'after')

      await until(async () => heard.messages.length > 0)
      expect(heard.messages).toEqual(['after'])
    } finally {
      await proxy.close()
      await listener.close()
    }
  })

  test('leaves no connection behind', async ({ db, listener }) => {
    await hear(listener, 'news')

    await listener.close()

    await until(async () => {
      const { rowCount } = await db.query(
        `select from pg_stat_activity where application_name = 'listener under test'`,
      )
      return rowCount === 0
    })
    expect(listener.isListening).toBe(false)
  })

  test('tells once that it cannot listen, and goes on trying', async () => {
    const reported: unknown[] = []
    let tries = 0
    const newClient = () => {
      tries += 1
      return new pg.Client({ host: '127.0.0.1', port: 1 })
    }
    const listener = new Listener({
      newClient,
      retryDelayMs: 1,
      onLost: (error) => reported.push(error),
    })

    listener.hear('news', { onMessage: () => {} })
    await until(async () => tries > 2)
    await listener.close()

    expect(reported).toHaveLength(1)
  })
})
