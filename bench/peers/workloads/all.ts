import { drainAlone, million, processes } from './drain.ts'
import { around, groups, payloads, queues } from './drain-among.ts'
import { enqueueBulk, enqueueSingle } from './enqueue.ts'
import { idle } from './idle.ts'
import { steady, trickle } from './pickup.ts'
import { snapshot } from './snapshot.ts'
import type { Workload } from './workload.ts'

export const workloads: readonly Workload[] = [
  drainAlone,
  enqueueBulk,
  enqueueSingle,
  around,
  snapshot,
  trickle,
  steady,
  groups,
  queues,
  payloads,
  processes,
  idle,
  million,
]
