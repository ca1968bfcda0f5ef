import { drain } from './drain.ts'
import { drainFinished, drainFuture, drainLowPriority, drainOtherQueue } from './drain-around.ts'
import { enqueueBulk, enqueueSingle } from './enqueue.ts'
import type { Scenario } from './scenario.ts'

export const scenarios: readonly Scenario[] = [
  enqueueBulk,
  enqueueSingle,
  drain,
  drainFuture,
  drainOtherQueue,
  drainLowPriority,
  drainFinished,
]
