import { expect, test } from 'vitest'
import { beatTimes } from '../../../src/worker/leases/beat-times.ts'

const forgottenAfterMs = 60_000

test.for([500, 15_000, 3_600_000])(
  'a lease of %i ms is renewed in time, and its worker not forgotten',
  (leaseMs) => {
    const { beatMs, idleMs } = beatTimes(leaseMs)

    expect(beatMs).toBeLessThanOrEqual(leaseMs / 5)
    expect(Math.max(beatMs, idleMs)).toBeLessThanOrEqual(forgottenAfterMs / 3)
  },
)
