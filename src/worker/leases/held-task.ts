import { Run } from '../../runners/run.ts'
import type { AnyTask } from '../../tasks/define-task.ts'

/** The right to a batch of tasks, and until when the worker may be sure of it. */
export interface Lease {
  readonly claim: string
  /** On the monotonic clock: from then on another worker may have claimed its tasks. */
  trustedUntilMs: number
  /** By the database's clock. */
  readonly claimedAt: Date
  /** When the claim's answer came, by the process's own clock. */
  readonly answeredMs: number
}

/** One task in the worker's hands, from claim to accepted report. */
export class HeldTask extends Run {
  readonly task: AnyTask
  readonly lease: Lease
  state: 'buffered' | 'running' | 'reporting' = 'buffered'
  startedMs = 0
  /** When its run ended; noted only if something reads how long it took. */
  endedMs = 0
  /** A heartbeat has marked it as started, later than it truly did. */
  wasMarked: boolean = false
  /** Said to have been taken away; the next heartbeat tells whether it was. */
  isSuspect: boolean = false
  /** Known to be another worker's, or free: it needs no report. */
  isLost: boolean = false

  constructor(row: Run['row'], task: AnyTask, lease: Lease) {
    super(row)
    this.task = task
    this.lease = lease
  }

  get id(): string {
    return this.row.id
  }

  get claim(): string {
    return this.row.claim
  }

  /**
   * When it truly started, by the database's clock; null when that is as good as when it was claimed,
   * which the database knows by itself.
   */
  get startedAt(): string | null {
    const { claimedAt, answeredMs } = this.lease
    const waitedMs = this.startedMs - answeredMs
    if (waitedMs < 5 && !this.wasMarked) return null
    return new Date(claimedAt.getTime() + waitedMs).toISOString()
  }
}
