import type { AbortReason } from './context.ts'

const messages: Readonly<Record<AbortReason, string>> = {
  timeout: 'the task ran longer than it may',
  cancelled: 'the task was cancelled',
  lease_lost: 'the lease on the task may be over, and another worker may have it',
  shutdown: 'the worker is stopping',
}

/** The value of a handler's `signal.reason`, and what `signal.throwIfAborted()` throws. */
export class Aborted extends Error {
  override readonly name = 'AbortError'
  readonly reason: AbortReason

  constructor(reason: AbortReason) {
    super(messages[reason])
    this.reason = reason
  }
}
