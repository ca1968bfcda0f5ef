import { test as base, expect, inject } from 'vitest'
import { ServerClient } from '../../../src/db/server-client.js'
import { Availability } from '../../../src/worker/connections/availability.ts'
import { Connections } from '../../../src/worker/connections/connections.ts'
import { signalled } from '../../support/worker.ts'

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const signal = new AbortController().signal

const test = base.extend<{ connections: Connections }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures' names from the pattern.
  connections: async ({}, use) => {
    const config = () => ({ connectionString: inject('pgUrl'), session: {} })
    const limits = { mostBorrowed: 1, onceMs: 1_000 }
    const connections = new Connections(config, new Availability(log), limits)
    await use(connections)
    await connections.close()
  },
})

test('the server ends a statement of a chore that takes too long', async ({ connections }) => {
  const endless = connections.once(signal, (db) => db.query('select pg_sleep(600)'))

  await expect(endless).rejects.toMatchObject({ code: '57014' })
})

test('a second statement is not run while one is under way', async ({ connections }) => {
  const begun = signalled()
  const open = signalled()
  const first = connections.once(signal, async () => {
    begun.resolve()
    await open.promise
    return ['done']
  })
  await begun.promise

  expect(await connections.once(signal, async () => ['done'])).toBeUndefined()
  open.resolve()
  expect(await first).toEqual(['done'])
})

test('a statement is cut when its chore must stop', async ({ connections }) => {
  const controller = new AbortController()
  const cut = connections.once(controller.signal, (db) => {
    const sleeping = db.query('select pg_sleep(600)')
    controller.abort()
    return sleeping
  })

  await expect(cut).rejects.toThrow(/terminated|ended/i)
})

test('nothing is run where a pooler forgets how long it may take', async () => {
  const config = () => ({ connectionString: inject('pgUrl') })
  const limits = { mostBorrowed: 1, onceMs: 1_000 }
  const connections = new Connections(config, new Availability(log), limits)
  // As behind a pooler: the process id that the connection got is not one of the server.
  const wrong = { get: () => 1, set: () => {}, configurable: true }
  Object.defineProperty(ServerClient.prototype, 'processID', wrong)
  try {
    expect(await connections.once(signal, async () => ['done'])).toBeUndefined()
    expect(await connections.once(signal, async () => ['done'])).toBeUndefined()
  } finally {
    Reflect.deleteProperty(ServerClient.prototype, 'processID')
    await connections.close()
  }
})
