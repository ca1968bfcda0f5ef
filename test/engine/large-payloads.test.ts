import { describe, expect } from 'vitest'
import type { Json } from '../../src/engine/task.ts'
import { faultsIn } from '../support/books.ts'
import { member, range, waitsForLock } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

const large = (name: string): Json => ({ name, text: 'large '.repeat(1_000) })
const small: Json = { name: 'small' }

const beside = (engine: TestEngine) =>
  engine.rows<{ task: string; payload: Json }>('select task, payload from payloads order by task')

describe('a large payload', () => {
  test('is written once: the task ends without it', async ({ engine }) => {
    const task = await engine.running({ payload: large('one') })
    const where = () => engine.value('select ctid::text from payloads')
    const before = await where()
    expect(task.payload).toEqual(large('one'))

    await engine.complete(task)

    expect(await where()).toBe(before)
    expect(await engine.rows('select payload from finished')).toEqual([{ payload: null }])
    expect((await engine.task(task.id))?.payload).toEqual(large('one'))
    expect(await faultsIn(engine)).toEqual([])
  })

  test('is handed over among small ones, and with all of its bytes counted', async ({ engine }) => {
    const payloads = range(6).map((n) => (n % 2 === 0 ? large(`${n}`) : { name: `${n}` }))
    await engine.enqueueMany(payloads.map((payload) => ({ queue: 'mail', payload })))

    const first = await engine.rows<{ payload: Json }>(
      `select payload from claim_fitting('mail', 6, 13000)`,
    )
    const rest = await engine.rows<{ payload: Json }>(`select payload from claim('mail', 6)`)

    expect(first.map(({ payload }) => payload)).toEqual(payloads.slice(0, 4))
    expect(rest.map(({ payload }) => payload)).toEqual(payloads.slice(4))
    expect(await faultsIn(engine)).toEqual([])
  })

  test('is found by its text, live and ended', async ({ engine }) => {
    const task = await engine.running({ payload: large('needle') })
    const find = () => engine.rows(`select ids::text[] from page_tasks('{"text": "needle"}')`)
    expect(await find()).toEqual([{ ids: [task.id] }])

    await engine.complete(task)

    expect(await find()).toEqual([{ ids: [task.id] }])
  })

  test.for([
    ['deleted while it waits', async (engine: TestEngine, id: string) => engine.delete(id)],
    [
      'deleted after its end',
      async (engine: TestEngine, id: string) => {
        await engine.complete(await engine.claimOne('mail'))
        await engine.delete(id)
      },
    ],
    [
      'ended where nothing is kept',
      async (engine: TestEngine) => {
        await engine.setQueue('mail', { keep_done: '0 seconds' })
        await engine.complete(await engine.claimOne('mail'))
      },
    ],
    [
      'swept alone',
      async (engine: TestEngine) => {
        await engine.setQueue('mail', { keep_done: '1 hour' })
        await engine.complete(await engine.claimOne('mail'))
        await engine.pass('2 hours')
        await engine.sweep()
      },
    ],
    [
      'swept with its day',
      async (engine: TestEngine) => {
        await engine.rows(`select prepare_days(now() - interval '9 days')`)
        await engine.complete(await engine.claimOne('mail'))
        await engine.pass('7 days 12 hours')
        await engine.sweep()
      },
    ],
  ] as const)('goes when its task is %s', async ([, end], { engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', payload: large('one') })
    expect(await beside(engine)).toHaveLength(1)

    await end(engine, id)

    expect(await beside(engine)).toEqual([])
    expect(await engine.task(id)).toBeNull()
    expect(await faultsIn(engine)).toEqual([])
  })

  test.for([
    [
      'replace',
      async (engine: TestEngine) =>
        engine.enqueue({ queue: 'mail', key: 'ada', payload: small, onDuplicate: 'replace' }),
    ],
    ['amend', async (engine: TestEngine, id: string) => engine.amend(id, { payload: small })],
    [
      'amend after its end',
      async (engine: TestEngine, id: string) => {
        await engine.cancel(id)
        await engine.amend(id, { payload: small })
      },
    ],
    [
      'retry',
      async (engine: TestEngine, id: string) => {
        await engine.cancel(id)
        await engine.retry(id, undefined, small)
      },
    ],
    [
      'reschedule',
      async (engine: TestEngine) =>
        engine.reschedule(await engine.claimOne('mail'), new Date(), small),
    ],
  ] as const)('goes when %s gives its task another', async ([, change], { engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', key: 'ada', payload: large('one') })

    await change(engine, id)

    expect((await engine.task(id))?.payload).toEqual(small)
    expect(await beside(engine)).toEqual([])
    expect(await faultsIn(engine)).toEqual([])
  })

  test('is kept by changes that do not concern it', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', payload: large('one') })
    await engine.amend(id, { priority: 3 })
    await engine.reschedule(await engine.claimOne('mail'), new Date())
    await engine.cancel(id)
    await engine.amend(id, { priority: 4 })
    await engine.retry(id)
    await engine.move(id, new Date())

    expect((await engine.claimOne('mail')).payload).toEqual(large('one'))
    expect(await faultsIn(engine)).toEqual([])
  })

  test('survives a retry while its day is cleared', async ({ engine, connect }) => {
    await engine.rows(`select prepare_days(now() - interval '9 days')`)
    const task = await engine.running({ payload: large('one') })
    await engine.complete(task)
    await engine.pass('7 days 12 hours')
    const day = await engine.value('select tableoid::regclass::text from finished')
    const [retrier, sweeper] = [await member(engine, connect), await member(engine, connect)]

    await retrier.rows('begin')
    await retrier.rows('select retry($1)', task.id)
    const cleared = sweeper.rows('select clear_day($1::regclass, 10)', day)
    await waitsForLock(engine, sweeper)
    await retrier.rows('commit')
    await cleared

    expect((await engine.claimOne('mail')).payload).toEqual(large('one'))
    expect(await faultsIn(engine)).toEqual([])
  })

  test('cannot be retried when it was cleared with its day', async ({ engine }) => {
    await engine.rows(`select prepare_days(now() - interval '9 days')`)
    const task = await engine.running({ payload: large('one') })
    await engine.complete(task)
    await engine.pass('7 days 12 hours')
    await engine.rows('select clear_day(tableoid, 10) from finished')

    await expect(engine.retry(task.id)).rejects.toMatchObject({ code: 'task_not_found' })

    expect(await engine.rows('select from tasks')).toEqual([])
  })
})
