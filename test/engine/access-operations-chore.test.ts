import { describe, expect } from 'vitest'
import { callingAs } from '../../src/engine/calling-as.ts'
import { test } from '../support/engine.ts'

const round = `select processed::integer, next_in_ms from run_chore('operations', p_limit => 10)`

describe('the chore operations', () => {
  test('leaves an operation to its driver for 5 seconds, and then goes on to the end', async ({
    engine,
  }) => {
    await engine.enqueueMany(Array.from({ length: 25 }, () => ({ queue: 'mail' })))
    const id = await engine.startOperation('cancel', {})
    await engine.advanceOperation(id, 10)
    expect(await engine.rows(round)).toEqual([{ processed: 0, next_in_ms: null }])

    await engine.pass('6 seconds')

    expect(await engine.rows(round)).toEqual([{ processed: 10, next_in_ms: 0 }])
    expect(await engine.rows(round)).toEqual([{ processed: 5, next_in_ms: null }])
    expect(await engine.operation(id)).toMatchObject({ state: 'done', matched: 25, done: 25 })
    expect(await engine.rows(round)).toEqual([{ processed: 0, next_in_ms: null }])
  })

  test('does not wait for a driver that holds it, nor run in circles', async ({
    engine,
    connect,
  }) => {
    await engine.enqueueMany(Array.from({ length: 25 }, () => ({ queue: 'mail' })))
    const id = await engine.startOperation('cancel', {})
    await engine.pass('6 seconds')
    const driver = await connect()
    await driver.query('begin')
    await engine.on(driver).advanceOperation(id, 10)

    expect(await engine.rows(round)).toEqual([{ processed: 0, next_in_ms: null }])
    await driver.query('commit')
  })

  test('gives it back to a driver that returns', async ({ engine }) => {
    await engine.enqueueMany(Array.from({ length: 40 }, () => ({ queue: 'mail' })))
    const id = await engine.startOperation('cancel', {})
    await engine.pass('6 seconds')
    await engine.rows(round)

    await engine.advanceOperation(id, 10)

    expect(await engine.rows(round)).toEqual([{ processed: 0, next_in_ms: null }])
  })
})

describe('the audit of an operation', () => {
  test('has its start and its end in the name of who started it, and no row per page', async ({
    engine,
    db,
  }) => {
    await engine.enqueueMany(Array.from({ length: 25 }, () => ({ queue: 'mail' })))
    const filter = { queue: 'mail' }
    const ada = { actor: 'ada', door: 'http' }

    const id = await callingAs(db, ada, (on) => engine.on(on).startOperation('cancel', filter))
    await callingAs(db, { actor: 'bob' }, (on) => engine.on(on).advanceOperation(id, 10))
    await engine.pass('6 seconds')
    await engine.rows(round)
    await engine.rows(round)

    expect((await engine.auditEntries({})).reverse()).toMatchObject([
      {
        actor: 'ada',
        action: 'start_operation',
        object: `operation ${id}`,
        after: { action: 'cancel', filter, arguments: {} },
      },
      {
        actor: 'ada',
        door: 'http',
        action: 'end_operation',
        after: { state: 'done', matched: 25, done: 25, refused: 0 },
      },
    ])
    expect(await engine.operation(id)).toMatchObject({ created_by: 'ada' })
  })

  test('says for whom the next verb acts, also after a page in the same transaction', async ({
    engine,
    db,
  }) => {
    const id = await engine.startOperation('cancel', {})
    await engine.setQueue('mail', {})

    await callingAs(db, { actor: 'bob' }, async (on) => {
      await engine.on(on).advanceOperation(id)
      await engine.on(on).pause('mail')
    })

    expect(await engine.auditEntries({})).toMatchObject([{ actor: 'bob', action: 'pause' }])
  })
})
