import type { QueueStats, QueueTotal } from '../../engine/measuring.ts'

/** The metrics of a queue. */
export interface QueueNumbers {
  readonly due: number
  readonly later: number
  readonly asleep: number
  readonly running: number
  readonly oldestDueSeconds: number
  readonly enqueued: number
  readonly started: number
  readonly done: number
  readonly failed: number
  readonly cancelled: number
  readonly retried: number
  readonly lost: number
  readonly waitSeconds: number
  readonly runSeconds: number
  readonly waits: readonly number[]
  readonly runs: readonly number[]
}

/** More queues than these would be a burden for the server that stores the metrics. */
const mostQueues = 100

/** The name under which the other queues are summed up. */
export const others = 'other'

/**
 * Which queues have a name of their own: the busiest when first asked, and as they come while there is
 * room. A queue that was named stays so, else the sum of the others would fall, and a counter never does.
 */
export class NamedQueues {
  readonly #named = new Set<string>()

  nameOf(queue: string): string {
    return this.#named.has(queue) ? queue : others
  }

  welcome(totals: readonly QueueTotal[]): void {
    const busiest = totals.toSorted((a, b) => trafficOf(b) - trafficOf(a))
    for (const { queue } of busiest) {
      if (this.#named.size >= mostQueues) return
      this.#named.add(queue)
    }
  }
}

function trafficOf({ enqueued, claimed }: QueueTotal): number {
  return enqueued + claimed
}

/** Counts of tasks that do not run stop here; the exact depth tells the rest. */
const cap = 10_000

export function numbersOf(
  total: QueueTotal,
  stats: QueueStats | undefined,
  buckets: number,
  nowMs: number,
): QueueNumbers {
  const waiting = Math.max(total.waiting, 0)
  const oldest = stats?.oldest_due_at?.getTime() ?? nowMs
  return {
    ...split(waiting, stats),
    running: total.running,
    oldestDueSeconds: Math.max(nowMs - oldest, 0) / 1000,
    enqueued: total.enqueued,
    started: total.claimed,
    done: total.done,
    failed: total.failed,
    cancelled: total.cancelled,
    retried: total.retried,
    lost: total.lost,
    waitSeconds: total.wait_seconds,
    runSeconds: total.run_seconds,
    waits: filled(total.waits, buckets),
    runs: filled(total.runs, buckets),
  }
}

interface Parts {
  readonly due: number
  readonly later: number
  readonly asleep: number
}

/**
 * What does not run is known exactly, and so are the parts of it that are not too many to be counted. The rest goes to
 * the last part that was not counted to its end, or to `later`.
 */
function split(waiting: number, stats: QueueStats | undefined): Parts {
  const counted = { due: stats?.due ?? 0, asleep: stats?.asleep ?? 0, later: stats?.later ?? 0 }
  const names = ['due', 'asleep', 'later'] as const
  const open = names.findLast((name) => counted[name] >= cap) ?? 'later'
  let left = waiting
  const parts = { due: 0, asleep: 0, later: 0 }
  for (const name of names.filter((each) => each !== open)) {
    parts[name] = Math.min(counted[name], left)
    left -= parts[name]
  }
  return { ...parts, [open]: left }
}

function filled(counts: readonly number[] | null, buckets: number): number[] {
  return Array.from({ length: buckets }, (_, i) => counts?.[i] ?? 0)
}

export function sumOf(a: QueueNumbers, b: QueueNumbers): QueueNumbers {
  const sum = Object.entries(a).map(([name, value]) => {
    const other = b[name as keyof QueueNumbers]
    if (name === 'oldestDueSeconds') return [name, Math.max(Number(value), Number(other))]
    return [name, Array.isArray(value) ? addEach(value, other as number[]) : value + Number(other)]
  })
  return Object.fromEntries(sum)
}

function addEach(a: readonly number[], b: readonly number[]): number[] {
  return a.map((value, i) => value + (b[i] ?? 0))
}
