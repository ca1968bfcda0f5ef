import { describe, expect } from 'vitest'
import type { Tusk } from '../../src/client/tusk.ts'
import { callingAs } from '../../src/engine/calling-as.ts'
import type { Operation } from '../../src/index.ts'
import { test } from '../support/client.ts'

const many = (tusk: Tusk, count: number) =>
  tusk.enqueueTasks(Array.from({ length: count }, () => ({ queue: 'mail' })))

describe('an operation over 20,000 tasks', () => {
  test('tells how it goes from page to page, and does each task once', {
    timeout: 300_000,
  }, async ({ tusk, engine }) => {
    for (let n = 0; n < 4; n++) await many(tusk, 5_000)
    const operation = await tusk.operations.start({ action: 'cancel', filter: { queue: 'mail' } })
    await many(tusk, 10)

    const seen: Operation[] = []
    for await (const step of operation) seen.push(step)

    expect(seen.length).toBeGreaterThan(10)
    expect(seen.map(({ done }) => done)).toEqual(seen.map(({ done }) => done).sort((a, b) => a - b))
    for (const { done, progress } of seen.slice(0, -1)) {
      expect(Math.abs(progress - done / 20_000)).toBeLessThan(0.05)
    }
    expect(seen.at(-1)).toMatchObject({ state: 'done', done: 20_000, refused: 0, progress: 1 })
    expect(
      await engine.value(
        `select coalesce(sum(size), 0)::int from finished where state = 'cancelled'`,
      ),
    ).toBe(20_000)
    expect(await engine.value('select coalesce(sum(size), 0)::int from tasks')).toBe(10)

    // And back, by three who drive it at once.
    const back = await tusk.operations.start({ action: 'retry', filter: { queue: 'mail' } })
    const ends = await Promise.all([
      back.wait(),
      tusk.operations.drive(back.id, { limit: 300 }).wait(),
      tusk.operations.drive(back.id, { limit: 700 }).wait(),
    ])

    for (const end of ends) expect(end).toMatchObject({ state: 'done', done: 20_000, refused: 0 })
    expect(await engine.value('select coalesce(sum(size), 0)::int from tasks')).toBe(20_010)
  })

  test('can be stopped in the middle', async ({ tusk, engine }) => {
    await many(tusk, 5_000)
    const operation = await tusk.operations.start(
      { action: 'amend', filter: { queue: 'mail' }, changes: { priority: 5 } },
      { limit: 200 },
    )

    let last: Operation | undefined
    for await (const step of operation) {
      last = step
      if (step.done >= 1_000 && step.state === 'running') await operation.cancel()
    }

    expect(last).toMatchObject({ state: 'cancelled', done: 1_000 })
    expect(
      await engine.value('select coalesce(sum(size), 0)::int from tasks where priority = 5'),
    ).toBe(1_000)
    expect(await tusk.operations.get(operation.id)).toEqual(last)
  })
})

describe('tusk.operations', () => {
  test('is driven no further once its signal is given', async ({ tusk }) => {
    await many(tusk, 30)
    const controller = new AbortController()
    const operation = await tusk.operations.start(
      { action: 'cancel', filter: {} },
      { limit: 10, signal: controller.signal },
    )

    const driving = (async () => {
      for await (const _ of operation) controller.abort(new Error('enough'))
    })()

    await expect(driving).rejects.toThrow('enough')
    expect(await tusk.operations.get(operation.id)).toMatchObject({ state: 'running', done: 10 })
  })

  test('begins in a transaction of the caller, and is driven after its commit', async ({
    tusk,
    db,
  }) => {
    await many(tusk, 3)

    const operation = await callingAs(db, { actor: 'ada' }, (on) =>
      tusk.operations.start(
        { action: 'move', filter: { queue: 'mail' }, runAt: new Date('2100-01-01T00:00:00Z') },
        { on },
      ),
    )

    expect(await operation.wait()).toMatchObject({ state: 'done', done: 3, createdBy: 'ada' })
    expect(await tusk.tasks.list({ state: 'scheduled' })).toMatchObject({ tasks: [{}, {}, {}] })
    expect(await tusk.operations.list()).toMatchObject([{ id: operation.id }])
    expect((await tusk.audit.list({ action: 'end_operation' })).length).toBe(1)
  })

  test('refuses invalid arguments, and knows when there is none', async ({ tusk }) => {
    await expect(tusk.operations.start({ action: 'move', filter: {} })).rejects.toMatchObject({
      code: 'invalid_argument',
    })
    await expect(tusk.operations.drive('404').wait()).rejects.toMatchObject({
      code: 'operation_not_found',
    })
    expect(await tusk.operations.get('404')).toBeNull()
  })
})
