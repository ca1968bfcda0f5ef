import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDialect, type TestDatabase } from '../../support/fetchq-databases.ts'
import { until } from '../../support/until.ts'

interface Doc {
  readonly subject: string
  complete(): unknown
}

interface Worker {
  readonly isRunning: boolean
  readonly timer: { readonly _idleTimeout: number } | null
}

/** What the tests use of the client, which has no types of its own. */
interface Client {
  boot(): Promise<Client>
  end(): Promise<void>
  readonly doc: { append(queue: string, payload: object): Promise<{ subject: string }> }
  readonly queue: { enableNotifications(queue: string, status: boolean): Promise<unknown> }
  readonly pool: { query(text: string): Promise<unknown> }
  readonly utils: {
    reset(): Promise<void>
    checkStatus(subject: string, queue: string, status: number): Promise<boolean>
  }
  readonly workers: { readonly workers: Worker[] }
}

const fetchq = createRequire(import.meta.url)('fetchq') as (config: object) => Client

let database: TestDatabase
let client: Client
const handled: string[] = []

// So long that nothing but a notification brings a document to it within the test.
const sleep = 600_000

beforeAll(async () => {
  database = await openDialect()
  client = fetchq({
    connectionString: database.url,
    logLevel: 'error',
    queues: [{ name: 'bell', enableNotifications: true }],
    workers: [
      {
        queue: 'bell',
        handler: (doc: Doc) => {
          handled.push(doc.subject)
          return doc.complete()
        },
        sleep,
      },
    ],
    skipMaintenance: true,
  })
  await client.boot()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

/** Resolves when the worker sleeps: while it picks, it does not hear of a document. */
async function asleep(): Promise<void> {
  await until(async () => client.workers.workers[0]?.timer?._idleTimeout === sleep)
}

test('a worker of the Node client that sleeps is woken by a new document', async () => {
  for (let round = 0; round < 3; round += 1) {
    await asleep()
    const { subject } = await client.doc.append('bell', { round })

    await until(async () => handled.includes(subject))
  }
})

test('a worker of the Node client stops and starts as its queue is switched off and on', async () => {
  const isRunning = () => client.workers.workers[0]?.isRunning
  await asleep()

  await client.pool.query(`update fetchq.queues set is_active = false where name = 'bell'`)
  await until(async () => isRunning() === false)
  const { subject } = await client.doc.append('bell', {})
  expect(handled).not.toContain(subject)

  await client.pool.query(`update fetchq.queues set is_active = true where name = 'bell'`)
  await until(async () => handled.includes(subject))
})

test('the Node client resets to empty queues, and works on', async () => {
  await asleep()
  const first = await client.doc.append('bell', {})
  await until(() => client.utils.checkStatus(first.subject, 'bell', 3))

  await client.utils.reset()

  await asleep()
  const before = handled.length
  const { subject } = await client.doc.append('bell', {})
  await until(async () => handled.includes(subject))
  expect(handled.length).toBe(before + 1)
})
