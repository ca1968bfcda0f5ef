import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Call, CallSubject } from '../../bench/calls/call.ts'
import { engineCalls } from '../../bench/calls/engine-calls.ts'
import { fetchqCalls } from '../../bench/calls/fetchq-calls.ts'
import { beginLaps, timeCall } from '../../bench/calls/laps.ts'
import { openEngines, openFetchq } from '../../bench/calls/subjects.ts'
import { openOriginal, type TestDatabase } from '../support/fetchq-databases.ts'

const sizes = { rounds: 2, calls: 3, isOneTransaction: false }

describe('the benchmark of single calls', () => {
  let database: TestDatabase
  let db: pg.Client

  beforeAll(async () => {
    database = await openOriginal()
    db = new pg.Client(database.url)
    await db.connect()
    await beginLaps(db)
  })
  afterAll(async () => {
    await db.end()
    await database.drop()
  })

  /** How many calls each subject was asked for, and how many raised no error. */
  async function measure(call: Call, subjects: readonly CallSubject[]): Promise<number[]> {
    return (await timeCall(db, subjects, call, sizes)).map((laps) => laps.length)
  }

  test('makes each call of the engine', async () => {
    const subjects = await openEngines(db, '', '', [])
    for (const call of engineCalls) expect(await measure(call, subjects), call.name).toEqual([2])
  })

  test('makes each call of Fetchq, through the dialect and the original', async () => {
    const subjects = await openFetchq(db)
    for (const call of fetchqCalls) expect(await measure(call, subjects), call.name).toEqual([2, 2])
  })

  test('measures what is done, and no calls that do nothing', async () => {
    const subjects = await openEngines(db, '', '', [])
    const completion = engineCalls.find(({ name }) => name === 'complete(), of a claim of 10')
    if (completion === undefined) throw new Error('there is no such call')
    const { rows: before } = await db.query('select count(*)::int as n from here.finished')
    await measure(completion, subjects)
    const { rows: after } = await db.query('select count(*)::int as n from here.finished')
    // Each lap is 10 calls to warm up and 3 that count.
    expect(after[0].n - before[0].n).toBe(2 * 13)
  })
})
