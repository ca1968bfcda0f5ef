import type { Chore } from '../chore.ts'
import { SharedStrategy } from './shared.ts'
import type { Strategy, StrategyOptions } from './strategy.ts'

/** A worker that finds nothing waits up to so many times as long, while there are as many others. */
const longestFactor = 8
/** Where more workers than this look, each looks less often, so that together they do not look more. */
const crowd = 16

/** The longest that a timer takes. */
const longestTimerMs = 2 ** 31 - 1

/** The longest pause of a chore that is done like this. */
export function longestPauseMs({ everyMs }: Chore): number {
  return everyMs * longestFactor
}

/**
 * Every worker takes batches that no other holds. One that found something looks again at the chore's
 * own pace, or at once if the batch was full; one that found nothing waits twice as long each time, if
 * there are others.
 */
export function openSkipLocked(options: StrategyOptions, peers: () => number): Strategy {
  return new SharedStrategy(options, () => {
    let factor = 1
    return {
      pauseMs: (nextMs, found) => {
        factor = found ? 1 : Math.min(factor * 2, longestFactor, Math.max(peers(), 1))
        if (nextMs === 0) return 0
        const jitter = 0.75 + Math.random() / 2
        return Math.min(nextMs * Math.max(factor, peers() / crowd) * jitter, longestTimerMs)
      },
    }
  })
}
