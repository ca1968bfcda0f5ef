import { describe, expect } from 'vitest'
import type { NewTask } from '../../src/engine/task.ts'
import { faultsIn } from '../support/books.ts'
import { crowd, drain, range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

const flood = 20_000

/** Claims until the last of the others has been handed out; gives how many calls that took. */
async function callsUntilServed(
  engine: TestEngine,
  others: number,
  limit: number,
): Promise<number> {
  let served = 0
  for (const call of range(100)) {
    const tasks = await engine.claim('mail', { limit })
    served += tasks.filter(({ groups }) => groups?.[0] !== 'flood').length
    if (served === others) return call + 1
  }
  throw new Error(`only ${served} of ${others} were served`)
}

async function others(engine: TestEngine, n: number): Promise<void> {
  await engine.enqueueMany(
    range(n).map((index): NewTask => ({ queue: 'mail', groups: [`g${index}`] })),
  )
}

describe('a group with twenty thousand waiting tasks', () => {
  test('holds no caller up when they came in bulk', async ({ engine }) => {
    await engine.setGroup('flood', { max_running: 1 })
    for (const _ of range(10)) {
      await engine.enqueueMany(range(flood / 10).map(() => ({ queue: 'mail', groups: ['flood'] })))
    }
    await others(engine, 5)

    expect(await callsUntilServed(engine, 5, 1)).toBeLessThanOrEqual(6)
    expect(await faultsIn(engine)).toEqual([])
  })

  test('holds others up for a few claims when they came one by one', async ({ engine }) => {
    // Without a limit a bulk stands in the claim index as if each had come by itself.
    for (const _ of range(10)) {
      await engine.enqueueMany(range(flood / 10).map(() => ({ queue: 'mail', groups: ['flood'] })))
    }
    await engine.setGroup('flood', { max_running: 1 })
    await others(engine, 5)

    // A claim moves a thousand out of the way, so twenty do; a handful more take the five.
    expect(await callsUntilServed(engine, 5, 1)).toBeLessThanOrEqual(27)
    expect(
      await engine.value(`select coalesce(sum(size), 0)::int from tasks where parked_on = 'flood'`),
    ).toBe(flood - 1)
    expect(await faultsIn(engine)).toEqual([])
  })

  test('holds no caller up when it is full already', async ({ engine }) => {
    await engine.setGroup('flood', { max_running: 1 })
    await engine.enqueueMany(range(2_000).map(() => ({ queue: 'mail', groups: ['flood'] })))
    const running = await engine.claimOne('mail')
    await engine.enqueueMany(range(2_000).map(() => ({ queue: 'mail', groups: ['flood'] })))
    await others(engine, 50)

    expect(await callsUntilServed(engine, 50, 50)).toBeLessThanOrEqual(3)
    await engine.complete(running)
    expect(await engine.claim('mail')).toMatchObject([{ groups: ['flood'] }])
  })

  test('holds no caller up while it is paused', async ({ engine }) => {
    await engine.enqueueMany(range(3_000).map(() => ({ queue: 'mail', groups: ['flood'] })))
    await engine.pauseGroup('flood')
    await others(engine, 5)

    expect(await callsUntilServed(engine, 5, 5)).toBeLessThanOrEqual(5)
    await engine.resumeGroup('flood')
    expect(await engine.claim('mail', { limit: 1_000 })).toHaveLength(1_000)
  })
})

describe('groups of different priority', () => {
  test('are served below a higher one that is full', async ({ engine, connect }) => {
    await engine.setGroup('vip', { max_running: 1 })
    await engine.enqueueMany([
      ...range(300).map((): NewTask => ({ queue: 'mail', groups: ['vip'], priority: 9 })),
      ...range(300).map((): NewTask => ({ queue: 'mail' })),
    ])
    const workers = await crowd(engine, connect, 4)

    const first = await engine.claim('mail', { limit: 10 })
    await engine.completeMany(first)
    const rest = await drain(workers, 'mail')

    expect(first.filter(({ priority }) => priority === 9)).toHaveLength(1)
    expect(first).toHaveLength(10)
    expect(rest).toHaveLength(590)
  })
})
