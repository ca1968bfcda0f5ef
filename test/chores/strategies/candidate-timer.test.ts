import { describe, expect, test } from 'vitest'
import { CandidateTimer } from '../../../src/chores/strategies/candidate-timer.ts'
import type { Lead } from '../../../src/engine/leading.ts'
import { monotonicMs } from '../../../src/lib/monotonic.ts'
import { range } from '../../support/crowd.ts'

const times = { ttlMs: 10_000, renewMs: 2_000 }
const healthy = {
  chore: 'tidy',
  term: null,
  expires_in_ms: 9_000,
  resign: false,
  free_in_ms: 9_000,
}

/** In how many seconds a worker looks again after this answer. */
function waitOf(lead: Partial<Lead>): number {
  const timer = new CandidateTimer(times)
  timer.learn({ ...healthy, place: 0, candidates: 1, ...lead })
  return (timer.nextLookAtMs - monotonicMs()) / 1_000
}

/** How often all candidates together look, per second. */
const looksPerSecond = (candidates: number): number =>
  range(candidates)
    .map((place) => 1 / waitOf({ place, candidates }))
    .reduce((sum, rate) => sum + rate, 0)

describe('followers', () => {
  test.for([1, 10, 100, 1_000, 10_000])('look no more often when they are %d', (n) => {
    expect(looksPerSecond(n)).toBeLessThan(1.2)
  })

  test('look when the lease may be over, the first four of them', () => {
    for (const place of range(4)) {
      const wait = waitOf({ place, candidates: 100 })
      expect(wait).toBeGreaterThan(8.9)
      expect(wait).toBeLessThan(10.1)
    }
    expect(waitOf({ place: 4, candidates: 100 })).toBeGreaterThan(100)
  })

  test('look then too when the lease was not renewed in time, whatever their place', () => {
    const wait = waitOf({ place: 99, candidates: 100, free_in_ms: 5_000 })

    expect(wait).toBeGreaterThan(4.9)
    expect(wait).toBeLessThan(6.1)
  })

  test('look at once as heirs, soon as first ones, and not at all otherwise', () => {
    const waitAfter = (place: number, isHeir: boolean) => {
      const timer = new CandidateTimer(times)
      timer.learn({ ...healthy, place, candidates: 100 })
      timer.released('tidy', isHeir)
      return (timer.nextLookAtMs - monotonicMs()) / 1_000
    }

    expect(waitAfter(50, true)).toBeLessThan(0.1)
    expect(waitAfter(3, false)).toBeLessThan(0.8)
    expect(waitAfter(50, false)).toBeGreaterThan(100)
  })
})
