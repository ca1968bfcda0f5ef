import { SharedStrategy } from './shared.ts'
import type { Strategy, StrategyOptions } from './strategy.ts'

/** Every worker does the chore on its own timer. For development, and for what must not wait for a leader. */
export function openAll(options: StrategyOptions): Strategy {
  return new SharedStrategy(options, () => ({ pauseMs: (nextMs) => nextMs }))
}
