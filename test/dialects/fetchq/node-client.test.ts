import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDialect, type TestDatabase } from '../../support/fetchq-databases.ts'
import { until } from '../../support/until.ts'

interface Doc {
  readonly queue: string
  readonly subject: string
  readonly payload: Record<string, unknown>
  readonly attempts: number
  complete(options?: object): unknown
  reschedule(next: string, options?: object): unknown
  reject(message: string, options?: object): unknown
  kill(message?: string, options?: object): unknown
  drop(options?: object): unknown
  logError(message: string, details?: object): Promise<unknown>
  forward(queue: string, payload?: object): Promise<unknown>
}

/** What the tests use of the client, which has no types of its own. */
interface Client {
  boot(): Promise<Client>
  end(): Promise<void>
  info(): Promise<{ version: string }>
  trace(subject: string): Promise<Record<string, unknown>[]>
  readonly doc: Record<
    | 'push'
    | 'pushMany'
    | 'append'
    | 'upsert'
    | 'pick'
    | 'complete'
    | 'reject'
    | 'kill'
    | 'drop'
    | 'reschedule',
    (...args: unknown[]) => Promise<Record<string, unknown>>
  >
  readonly queue: Record<
    'create' | 'drop' | 'get' | 'list',
    (...args: unknown[]) => Promise<unknown>
  >
  readonly metric: Record<
    'logPack' | 'get' | 'getCommon' | 'getAll' | 'getTotal' | 'compute' | 'reset',
    (...args: unknown[]) => Promise<Record<string, unknown>>
  >
  readonly mnt: { runAll(limit: number): Promise<unknown[]> }
  readonly utils: {
    checkStatus(subject: unknown, queue: string, status: number): Promise<boolean>
  }
  readonly pool: { query(text: string): Promise<{ rows: Record<string, unknown>[] }> }
}

const fetchq = createRequire(import.meta.url)('fetchq') as (config: object) => Client

let database: TestDatabase
let client: Client
const handled: Doc[] = []

/** What the worker of the queue `jobs` does with a document is written in the document. */
function handle(doc: Doc): unknown {
  handled.push(doc)
  switch (doc.payload['then']) {
    case 'reschedule':
      return doc.reschedule('+1 day', { payload: { round: 2 } })
    case 'reject':
      return doc.reject('not the time', { details: { quote: "it's" }, refId: 'r1' })
    case 'kill':
      return doc.kill('enough', { payload: { dead: true } })
    case 'drop':
      return doc.drop()
    case 'throw':
      throw new Error('boom')
    default:
      return doc.complete({ payload: { ...doc.payload, done: true } })
  }
}

beforeAll(async () => {
  database = await openDialect()
  client = fetchq({
    connectionString: database.url,
    logLevel: 'error',
    queues: [{ name: 'jobs', maxAttempts: 3 }, { name: 'shelf' }, { name: 'next' }],
    workers: [
      { queue: 'jobs', handler: handle, delay: 10, sleep: 200 },
      { queue: 'next', handler: (doc: Doc) => doc.complete(), delay: 10, sleep: 200 },
    ],
    maintenance: { limit: 5, delay: 50, sleep: 100 },
  })
  await client.boot()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

async function shown(queue: string, subject: unknown) {
  const { rows } = await client.pool.query(
    `select * from fetchq_data.${queue}__docs where subject = '${String(subject)}'`,
  )
  return rows[0]
}

describe('the unmodified Node client', () => {
  test('finds the version it knows, and its queues made', async () => {
    expect(await client.info()).toEqual({ version: '4.0.2' })
    expect(await client.queue.get('jobs')).toMatchObject({ name: 'jobs', max_attempts: 3 })
  })

  test('pushes, upserts, picks and ends documents', async () => {
    const push = { subject: 'a', payload: { quote: "it's" } }

    expect(await client.doc.push('shelf', push)).toEqual({ queued_docs: 1 })
    expect(await client.doc.push('shelf', push)).toEqual({ queued_docs: 0 })
    expect(await client.doc.upsert('shelf', { ...push, priority: 2 })).toEqual({
      queued_docs: 0,
      updated_docs: 1,
    })
    expect(
      await client.doc.pushMany('shelf', {
        docs: [
          ['b', 0, { n: 1 }],
          ['c', 0, { quote: "it's" }],
        ],
      }),
    ).toEqual({ queued_docs: 2 })
    const picked = (await client.doc.pick('shelf', 0, 10, '1m')) as unknown as Doc[]

    expect(picked.map(({ subject, payload }) => [subject, payload])).toEqual([
      ['a', { quote: "it's" }],
      ['b', { n: 1 }],
      ['c', { quote: "it's" }],
    ])
    expect(await client.doc.complete('shelf', 'a', { sum: 1 })).toEqual({ affected_rows: 1 })
    expect(await client.doc.kill('shelf', 'b')).toEqual({ affected_rows: 1 })
    expect(await client.doc.drop('shelf', 'c')).toEqual({ affected_rows: 1 })
    expect(await client.utils.checkStatus('a', 'shelf', 3)).toBe(true)
  })

  test.for([
    ['complete', 3],
    ['reschedule', 0],
    ['reject', 1],
    ['kill', -1],
    ['drop', undefined],
    ['throw', 1],
  ] as const)('lets a handler %s a document', async ([then, status]) => {
    const { subject } = await client.doc.append('jobs', { then })

    // Waits for the end of a run: what was only picked has no iteration yet.
    await until(async () => {
      const doc = await shown('jobs', subject)
      return handled.some((seen) => seen.subject === subject) && doc?.['iterations'] !== '0'
    })

    expect((await shown('jobs', subject))?.['status']).toBe(status)
    const logged = (await client.trace(String(subject))).filter(({ type }) => type === 'error')
    if (then === 'reject')
      expect(logged).toMatchObject([
        { info: 'not the time', details: { details: { quote: "it's" }, ref_id: 'r1' } },
      ])
    if (then === 'throw') expect(logged).toMatchObject([{ info: 'worker exception' }])
    if (then === 'complete')
      expect(await shown('jobs', subject)).toMatchObject({ payload: { then, done: true } })
  })

  test('works off a document whose time has come, by its own maintenance', async () => {
    await client.doc.push('next', { subject: 'soon', nextIteration: '+300 milliseconds' })

    await until(() => client.utils.checkStatus('soon', 'next', 3))
  })

  test('counts, packs and sums', async () => {
    // What the client's own maintenance is packing at this moment is there a moment later.
    await until(async () => {
      await client.metric.logPack()
      return (await client.metric.getCommon('shelf'))['prc'] === 3
    })

    const computed = await client.metric.compute('shelf')
    expect(await client.metric.getCommon('shelf')).toMatchObject({
      cnt: computed['cnt'],
      act: computed['act'],
      cpl: computed['cpl'],
      kll: computed['kll'],
      ent: 3,
      drp: 1,
      prc: 3,
    })
    expect(await client.metric.getTotal('ent')).toMatchObject({ does_exists: true })
  })

  test('traces a subject over its queues', async () => {
    await client.doc.push('shelf', { subject: 'wanderer' })
    await client.doc.push('next', { subject: 'wanderer' })

    const story = await client.trace('wanderer')

    expect(new Set(story.map(({ queue, type }) => `${queue} ${type}`))).toEqual(
      new Set(['next document', 'shelf document']),
    )
  })
})
