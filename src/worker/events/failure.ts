import type { Ended as Answer } from '../../engine/outcomes.ts'
import type { Outcome } from '../../runners/outcome.ts'
import type { HeldTask } from '../leases/held-task.ts'
import type { FailedEvent } from './worker-events.ts'

/** The outcomes of an attempt that did not succeed. */
export type FailedOutcome = Extract<Outcome, { kind: 'failed' | 'rejected' | 'killed' }>

type Failure = Omit<FailedEvent, 'task' | 'durationMs'>

/** The fields of a failure, for listeners and for its line in the log. */
export function failureEvent(
  { row }: HeldTask,
  outcome: FailedOutcome,
  answer: Answer | undefined,
): Failure & { readonly line: object } {
  const stored = storedError(outcome.error)
  const thrown = 'thrown' in outcome ? outcome.thrown : undefined
  const isRetried = outcome.kind === 'failed' ? outcome.retry : outcome.kind === 'rejected'
  const isFinal =
    answer === undefined ? !isRetried || row.attempt >= row.max_attempts : answer.state === 'failed'
  const nextAttemptAt = isFinal ? null : (answer?.run_at ?? null)
  const reason = outcome.kind === 'failed' ? outcome.reason : outcome.kind
  return {
    error: thrown ?? stored,
    reason,
    isFinal,
    nextAttemptAt,
    line: {
      reason,
      ...(nextAttemptAt === null ? {} : { nextAttemptAt }),
      err: isError(thrown) ? thrown : stored,
    },
  }
}

/** One line for people: what failed, which attempt it was, and what happens next. */
export function describeFailure(
  { row }: HeldTask,
  { isFinal, nextAttemptAt }: Pick<Failure, 'isFinal' | 'nextAttemptAt'>,
): string {
  const { id, handler, kind, attempt, max_attempts } = row
  const what = `${handler ?? kind} (task ${id}): attempt ${attempt} of ${max_attempts} failed`
  if (isFinal) return `${what}; the task has failed`
  return nextAttemptAt === null
    ? `${what}; it is tried again`
    : `${what}; next attempt at ${nextAttemptAt.toISOString()}`
}

interface StoredError {
  readonly name?: unknown
  readonly message?: unknown
  readonly code?: unknown
  readonly stack?: unknown
  readonly cause?: unknown
}

/** An Error with the words that the database has. */
function storedError(json: string): Error {
  return errorOf(JSON.parse(json))
}

function errorOf(stored: unknown): Error {
  if (typeof stored !== 'object' || stored === null) return new Error(String(stored))
  const { name, message, code, stack, cause } = stored as StoredError
  const error = new Error(typeof message === 'string' ? message : JSON.stringify(stored))
  const hidden = { enumerable: false, writable: true, configurable: true }
  if (typeof name === 'string') Object.defineProperty(error, 'name', { value: name, ...hidden })
  // Where this object was made says nothing about the failure.
  const where = typeof stack === 'string' ? stack : `${error.name}: ${error.message}`
  Object.defineProperty(error, 'stack', { value: where, ...hidden })
  if (typeof code === 'string') Object.assign(error, { code })
  if (cause !== undefined && cause !== null) error.cause = errorOf(cause)
  return error
}

/** Anything can be thrown, and looking at it must not throw again. */
function isError(thrown: unknown): thrown is Error {
  try {
    return thrown instanceof Error
  } catch {
    return false
  }
}
