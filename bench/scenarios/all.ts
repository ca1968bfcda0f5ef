import { dashboardBig } from './dashboard-big.ts'
import { dashboardBurst } from './dashboard-burst.ts'
import { documents } from './documents.ts'
import { drain } from './drain.ts'
import { drainFinished, drainFuture, drainLowPriority, drainOtherQueue } from './drain-around.ts'
import { durableSteps } from './durable-steps.ts'
import { enqueueBulk, enqueueSingle } from './enqueue.ts'
import { followers } from './followers.ts'
import { groups } from './groups.ts'
import { hotGroup } from './hot-group.ts'
import { http } from './http.ts'
import { idle } from './idle.ts'
import { payloads } from './payloads.ts'
import { pickup } from './pickup.ts'
import type { Scenario } from './scenario.ts'
import { schedulePrecision } from './schedule-precision.ts'
import { serialGroup } from './serial-group.ts'
import { sleepers } from './sleepers.ts'
import { snapshot } from './snapshot.ts'
import { sqlDrain } from './sql-drain.ts'
import { taskTable } from './task-table.ts'
import { trickle } from './trickle.ts'
import { workerDrain } from './worker-drain.ts'
import { workerQueues } from './worker-queues.ts'

export const scenarios: readonly Scenario[] = [
  enqueueBulk,
  enqueueSingle,
  drain,
  drainFuture,
  drainOtherQueue,
  drainLowPriority,
  drainFinished,
  snapshot,
  groups,
  hotGroup,
  serialGroup,
  payloads,
  workerDrain,
  workerQueues,
  http,
  pickup,
  trickle,
  sqlDrain,
  taskTable,
  idle,
  followers,
  schedulePrecision,
  documents,
  durableSteps,
  sleepers,
  dashboardBurst,
  dashboardBig,
]
