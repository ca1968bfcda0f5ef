/** How much of everything one round has. */
export interface Sizes {
  /** Tasks that are drained or enqueued in bulk. */
  readonly tasks: number
  /** Tasks that lie around while others are drained. */
  readonly background: number
  /** Tasks of the one big drain. */
  readonly million: number
  readonly groups: number
  readonly queues: number
  /** Tasks of 10 kB; a tenth as many of 200 kB. */
  readonly payloads: number
  /** Tasks that come one at a time. */
  readonly singles: number
  /** How long single enqueueing is measured, for each number of callers. */
  readonly singleSeconds: number
  /** Tasks per second of the steady producer, and for how long. */
  readonly rate: number
  readonly steadySeconds: number
  readonly snapshotSeconds: number
  /** How long idle workers are left alone, and then watched. */
  readonly settleSeconds: number
  readonly idleSeconds: number
  /** A drain that takes longer is cut off; its rate is that of what was done by then. */
  readonly patienceSeconds: number
}

export const fullSizes: Sizes = {
  tasks: 100_000,
  background: 1_000_000,
  million: 1_000_000,
  groups: 10_000,
  queues: 1_000,
  payloads: 5_000,
  singles: 200,
  singleSeconds: 1,
  rate: 20_000,
  steadySeconds: 5,
  snapshotSeconds: 20,
  settleSeconds: 40,
  idleSeconds: 30,
  patienceSeconds: 15,
}

/** Enough to see that it works. The figures mean nothing. */
export const quickSizes: Sizes = {
  tasks: 2_000,
  background: 5_000,
  million: 10_000,
  groups: 200,
  queues: 50,
  payloads: 100,
  singles: 20,
  singleSeconds: 0.2,
  rate: 2_000,
  steadySeconds: 2,
  snapshotSeconds: 2.7,
  settleSeconds: 2,
  idleSeconds: 2,
  patienceSeconds: 5,
}

/** For the round that does not count: connections open, plans made, functions compiled. */
export function warmUpSizes(sizes: Sizes): Sizes {
  return {
    ...sizes,
    tasks: Math.min(sizes.tasks, 10_000),
    payloads: Math.min(sizes.payloads, 50),
    singles: Math.min(sizes.singles, 20),
    singleSeconds: Math.min(sizes.singleSeconds, 0.3),
    rate: Math.min(sizes.rate, 2_000),
    steadySeconds: Math.min(sizes.steadySeconds, 1.5),
    snapshotSeconds: Math.min(sizes.snapshotSeconds, 1),
    patienceSeconds: Math.min(sizes.patienceSeconds, 3),
  }
}
