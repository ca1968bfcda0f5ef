import type pg from 'pg'
import { describe, expect } from 'vitest'
import type { On } from '../../src/client/on.ts'
import type { Tusk } from '../../src/client/tusk.ts'
import { callingAs } from '../../src/engine/calling-as.ts'
import { candidates, take } from '../support/chores.ts'
import { test } from '../support/client.ts'
import type { TestEngine } from '../support/test-engine.ts'

type Row = Readonly<Record<string, unknown>>

/** Something of everything that the client can read. */
async function furnish(tusk: Tusk, engine: TestEngine, db: pg.Pool): Promise<string> {
  await tusk.queues.set('mail', { maxRunning: 9 })
  await tusk.groups.set('customer 42', { gap: '1 second', rate: 5, rateWindow: '1 minute' })
  await tusk.grants.give('closed', 'pg_monitor', ['operate'])
  await tusk.tokens.create({ name: 'shop', scopes: ['read'] })
  await tusk.schedules.set('hourly', { task: { queue: 'mail' }, every: '1 hour' })
  await tusk.schedules.run('hourly')
  await candidates(engine, 'ada')
  await take(engine, 'ada')
  await tusk.events.follow()
  const { id } = await tusk.enqueueTask({
    queue: 'orders',
    kind: 'document',
    payload: { order_id: 7 },
    meta: { sent_by: 'ada' },
    timeout: '1 minute',
    maxAttempts: 3,
  })
  const [order] = await tusk.claims.claim('orders')
  if (order === undefined) throw new Error('nothing to claim')
  await tusk.claims.fail(order, { message: 'no', error_no: 3 }, { retry: false })
  await (await tusk.operations.start({ action: 'cancel', filter: { queue: 'none' } })).wait()
  await tusk.queues.set('post', {})
  await callingAs(db, { actor: 'ada' }, (on) => tusk.queues.pause('post', { on }))
  await engine.rows('select roll_up()')
  return id
}

/** Every result with rows, by the method that gives it. */
async function readAll(tusk: Tusk, id: string, on: On): Promise<Record<string, readonly Row[]>> {
  const { tasks } = await tusk.tasks.list({ queue: 'orders' }, on)
  const audit = await tusk.audit.list({ limit: 5, ...on })
  const results = {
    'tasks.get': [await tusk.tasks.get(id, on)],
    'tasks.list': tasks,
    'tasks.attempts': await tusk.tasks.attempts(id, on),
    'tasks.errorGroups': await tusk.tasks.errorGroups(on),
    'queues.stats': await tusk.queues.stats(on),
    'queues.totals': await tusk.queues.totals(on),
    'queues.series': await tusk.queues.series(on),
    'groups.stats': await tusk.groups.stats(on),
    'schedules.list': await tusk.schedules.list(on),
    'schedules.get': [await tusk.schedules.get('hourly', on)],
    'schedules.occurrences': await tusk.schedules.occurrences('hourly', on),
    'schedules.preview': await tusk.schedules.preview('hourly', on),
    'operations.list': await tusk.operations.list(on),
    'operations.get': [await tusk.operations.get('1', on)],
    'workers.list': await tusk.workers.list(on),
    'chores.list': await tusk.chores.list(on),
    'chores.leaders': await tusk.chores.leaders(on),
    'events.list': await tusk.events.list(on),
    'tokens.list': await tusk.tokens.list(on),
    'grants.list': await tusk.grants.list(on),
    'audit.list': audit,
  }
  return results as unknown as Record<string, readonly Row[]>
}

/** What a property of a result has to be, by its name. */
const rules: readonly (readonly [RegExp, (value: unknown) => boolean])[] = [
  [/(^at|At|Until)$/, (value) => value instanceof Date],
  [/^(id|task|lastTask|parent|claim)$/, (value) => typeof value === 'string'],
  [
    /(^(iteration|attempt|count|depth|running|runs|errors|processed|matched|done|enqueued)|LastHour)$/,
    (value) => typeof value === 'number' || Array.isArray(value),
  ],
  [/^(gap|rateWindow|timeout|every|jitter|silentFor)$/, (value) => typeof value === 'string'],
]

function faultsOf(results: Record<string, readonly Row[]>): string[] {
  return Object.entries(results).flatMap(([method, rows]) => {
    if (rows.length === 0) return [`${method} gave nothing`]
    const properties = rows.flatMap((row) => Object.entries(row))
    return properties
      .filter(([name, value]) => !isAsPromised(method, name, value))
      .map(([name, value]) => `${method}: ${name} is ${typeof value} ${JSON.stringify(value)}`)
  })
}

function isAsPromised(method: string, name: string, value: unknown): boolean {
  if (!/^[a-z][A-Za-z0-9]*$/.test(name)) return false
  // The task of a schedule is a template, not an id.
  if (value === null || (method.startsWith('schedules.') && name === 'task')) return true
  const [, isRight] = rules.find(([names]) => names.test(name)) ?? []
  return isRight === undefined || isRight(value)
}

describe('results of the client', () => {
  test('are camelCase, with ids as text, counts as numbers and times as dates', async ({
    tusk,
    engine,
    db,
  }) => {
    const id = await furnish(tusk, engine, db)

    expect(faultsOf(await readAll(tusk, id, {}))).toEqual([])
  })

  test('are the same on a connection of the caller', async ({ tusk, engine, db, connect }) => {
    const id = await furnish(tusk, engine, db)

    expect(faultsOf(await readAll(tusk, id, { on: await connect() }))).toEqual([])
  })

  test('leave what is inside of JSON as it was stored', async ({ tusk, engine, db }) => {
    const id = await furnish(tusk, engine, db)

    expect(await tusk.tasks.get(id)).toMatchObject({
      payload: { order_id: 7 },
      meta: { sent_by: 'ada' },
      error: { error_no: 3 },
      maxAttempts: 3,
      timeout: '00:01:00',
    })
  })
})

describe('tusk.tasks.amend', () => {
  test('takes changes in camelCase, with times and spans of time', async ({ tusk }) => {
    const { id } = await tusk.enqueueTask({ queue: 'mail', meta: { a_b: 1 } })
    const runAt = new Date('2100-01-01T09:00:00Z')

    await tusk.tasks.amend(id, {
      runAt,
      maxAttempts: 9,
      timeout: 90_000,
      meta: { sent_by: 'bob' },
      payload: { order_id: 8 },
    })

    expect(await tusk.tasks.get(id)).toMatchObject({
      runAt,
      maxAttempts: 9,
      timeout: '00:01:30',
      meta: { sent_by: 'bob' },
      payload: { order_id: 8 },
    })
    await tusk.tasks.amend(id, { timeout: null, maxAttempts: null })
    expect(await tusk.tasks.get(id)).toMatchObject({ timeout: null, maxAttempts: 5 })
  })

  test('rejects what is not a time', async ({ tusk }) => {
    const { id } = await tusk.enqueueTask({ queue: 'mail' })

    await expect(tusk.tasks.amend(id, { runAt: new Date('never') })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: 'runAt is not a time',
    })
  })

  test('works for all tasks that match a filter', async ({ tusk }) => {
    const { id } = await tusk.enqueueTask({ queue: 'mail' })
    const runAt = new Date('2100-01-01T09:00:00Z')

    const changes = { runAt, maxAttempts: 2 }
    const filter = { queue: 'mail' }
    await (await tusk.operations.start({ action: 'amend', filter, changes })).wait()

    expect(await tusk.tasks.get(id)).toMatchObject({ runAt, maxAttempts: 2 })
  })
})
