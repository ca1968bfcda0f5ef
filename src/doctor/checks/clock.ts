import type { Check } from '../check.ts'
import { askOne, type Examination } from '../examination.ts'
import { formatSeconds } from '../format.ts'

/** The engine knows the database's clock alone; what people and logs say may still be off. */
export const clock: Check = {
  name: 'clock',
  fine: 'The clocks of this machine and of the database agree.',
  look: async (at) => {
    const looks = [await skewOf(at), await skewOf(at), await skewOf(at)]
    const { skew, trip } = looks.reduce((best, one) => (one.trip < best.trip ? one : best))
    if (Math.abs(skew) - trip / 2 < at.limits.skewSeconds) return []
    const way = skew > 0 ? 'ahead of' : 'behind'
    return [
      {
        level: 'warning',
        message: `This machine’s clock is ${formatSeconds(Math.abs(skew))} ${way} the database’s.`,
        hint: 'Tasks go by the database’s clock. Synchronize both with NTP, or times that you give are off by that much.',
        details: { skew_seconds: skew },
      },
    ]
  },
}

/** In seconds; exact to half of the way there and back. */
async function skewOf(at: Examination): Promise<{ skew: number; trip: number }> {
  const sent = Date.now()
  const { now } = await askOne<{ now: number }>(
    at,
    `select date_part('epoch', clock_timestamp())::float8 as now`,
  )
  const received = Date.now()
  return { skew: (sent + received) / 2_000 - now, trip: (received - sent) / 1_000 }
}
