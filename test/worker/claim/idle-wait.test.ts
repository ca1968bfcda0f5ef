import { performance } from 'node:perf_hooks'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { IdleWait } from '../../../src/worker/claim/idle-wait.ts'

let nowMs = 0
const pass = (ms: number) => {
  nowMs += ms
}

beforeEach(() => {
  nowMs = 1_000
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
})
afterEach(() => void vi.restoreAllMocks())

function openIdleWait(dueInMs: number | null = null) {
  const statements: string[] = []
  const say = (statement: string) => async () => {
    statements.push(statement)
    return dueInMs
  }
  const idleWait = new IdleWait({
    sleep: say('sleep'),
    nextDue: say('next_due'),
    wake: async () => void statements.push('wake'),
    isListening: () => true,
    pollMs: 1_000,
  })
  return { idleWait, statements }
}

test('a worker looks once more after it was registered, and not after each renewal', async () => {
  const { idleWait, statements } = openIdleWait()
  const looksAgain: boolean[] = []
  for (let minutes = 0; minutes < 15; minutes++) {
    looksAgain.push(await idleWait.begin())
    pass(60_000)
  }

  expect(looksAgain).toEqual([true, ...Array(14).fill(false)])
  // Each is for five minutes, and renewed when half of them are over.
  expect(statements).toEqual(Array(5).fill('sleep'))
})

test('a worker whose registration is over looks once more', async () => {
  const { idleWait } = openIdleWait()
  await idleWait.begin()
  pass(299_000)

  expect(await idleWait.begin()).toBe(true)
})

test('the next due time is wanted when it has passed, and after a ring', async () => {
  const { idleWait, statements } = openIdleWait(5_000)
  expect(idleWait.wantsDue).toBe(false)
  await idleWait.begin()
  expect(idleWait.wantsDue).toBe(false)

  pass(5_000)
  expect(idleWait.wantsDue).toBe(true)
  await idleWait.looked(false, 5_000)
  expect(idleWait.wantsDue).toBe(false)
  idleWait.rung()
  expect(idleWait.wantsDue).toBe(true)

  await idleWait.begin()
  expect(statements).toEqual(['sleep', 'next_due'])
})
