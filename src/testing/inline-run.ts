import type { ClaimedRow } from '../engine/claim-batch.ts'
import type { LogLine } from '../engine/working.ts'
import type { Outcome } from '../runners/outcome.ts'
import { Run } from '../runners/run.ts'
import type { AnyTask } from '../tasks/define-task.ts'

/** One attempt that runs inside a test, and all that becomes known of it. */
export class InlineRun extends Run {
  readonly task: AnyTask
  /** Written down before the outcome is: lines of a task that has ended are refused. */
  readonly lines: LogLine[] = []
  /** Known when the handler has ended or was given up. */
  outcome: Outcome = { kind: 'dropped' }
  /** What its own transaction has stored, as JSON. */
  committed: string | null = null
  thrown: unknown
  /** The test let its process die. */
  isCrashed: boolean = false

  constructor(row: ClaimedRow, task: AnyTask) {
    super(row)
    this.task = task
  }

  get id(): string {
    return this.row.id
  }

  get claim(): string {
    return this.row.claim
  }
}
