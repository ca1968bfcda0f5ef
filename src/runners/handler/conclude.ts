import { toInterval } from '../../lib/duration.ts'
import { NotStorable } from '../../lib/storable-json.ts'
import type { AnyTask } from '../../tasks/define-task.ts'
import { StepFailed } from '../../tasks/durable.ts'
import { Steered, type Steering } from '../../tasks/steering.ts'
import { describeError } from '../describe-error.ts'
import { encodeJson } from '../encode-json.ts'
import { type Failed, failed, type Outcome } from '../outcome.ts'
import type { Run } from '../run.ts'
import { PayloadInvalid } from './prepare-payload.ts'

/** How a handler ended. */
export type Ending =
  | { readonly returned: unknown; readonly threw?: undefined }
  | { readonly threw: { readonly error: unknown } }

/** Turns what a handler returned or threw into an outcome. Never throws. */
export function conclude(task: AnyTask, run: Run, ending: Ending): Outcome {
  if (run.isCommitted) return { kind: 'committed' }
  if (run.isSuspended) return { kind: 'suspended' }
  const { aborted } = run
  if (aborted?.reason === 'cancelled') return { kind: 'dropped' }
  const given = ending.threw === undefined ? ending.returned : ending.threw.error
  try {
    if (given instanceof Steered) return steered(given.steering)
    if (aborted?.reason === 'timeout') return timedOut(run, ending)
    if (ending.threw === undefined && !(given instanceof Error)) {
      return { kind: 'done', output: encodeJson('output', given) }
    }
    if (aborted !== undefined && isObeying(given, aborted)) return { kind: 'released' }
    return { ...failedBy(task, run, given), thrown: given }
  } catch (error) {
    // The output cannot be stored, and running the task again would give the same output. Or the thrown value cannot
    // even be inspected.
    return failed(describeError(error), { retry: !(error instanceof NotStorable) })
  }
}

/** The outcome if the handler was asked to stop but did not end in time. */
export function abandon(run: Run): Outcome {
  if (run.isCommitted) return { kind: 'committed' }
  if (run.isSuspended) return { kind: 'suspended' }
  switch (run.aborted?.reason) {
    case 'timeout':
      return timedOut(run, { returned: undefined })
    case 'cancelled':
    case 'lease_lost':
      return { kind: 'dropped' }
    case 'shutdown':
    case undefined:
      return { kind: 'released' }
  }
}

function steered(steering: Steering): Outcome {
  switch (steering.steer) {
    case 'reschedule':
      return {
        kind: 'rescheduled',
        runAt: steering.runAt,
        payload: encodeJson('payload', steering.payload),
      }
    case 'reject':
      return {
        kind: 'rejected',
        error: kept(steering.error),
        delay: steering.delay ?? null,
      }
    case 'kill':
      return { kind: 'killed', error: kept(steering.error) }
    case 'fail':
      return failed(kept(steering.error), { retry: false })
  }
}

/** Written by the author of the handler, so it may hold anything. */
function kept(error: unknown): string {
  try {
    return encodeJson('output', error) ?? 'null'
  } catch {
    return describeError(error)
  }
}

function timedOut({ aborted }: Run, ending: Ending): Outcome {
  const cause = ending.threw?.error
  const error = new Error(aborted?.message, cause === aborted ? {} : { cause })
  error.name = 'Timeout'
  return failed(describeError(Object.assign(error, { code: 'timeout', stack: undefined })), {
    reason: 'timeout',
  })
}

/**
 * Whether the error was thrown because of the signal: it is the signal's own reason, or what fetch() and others throw
 * for it.
 */
function isObeying(error: unknown, aborted: Error): boolean {
  if (error === aborted) return true
  if (!(error instanceof Error)) return false
  return error.name === 'AbortError' || error.cause === aborted
}

function failedBy(task: AnyTask, run: Run, error: unknown): Failed {
  const described = describeError(error)
  // A step that failed for good would fail again in every later run, and a value that cannot be stored comes again.
  if (
    error instanceof PayloadInvalid ||
    error instanceof StepFailed ||
    error instanceof NotStorable
  ) {
    return failed(described, { retry: false })
  }
  if (typeof task.backoff !== 'function') return failed(described)
  try {
    const delay = toInterval('the backoff', task.backoff(run.row.attempt, error)) ?? null
    return failed(described, { delay })
  } catch (fault) {
    // Without a delay, the backoff of the task or its queue applies. The task's error shows what was wrong.
    const { message } = JSON.parse(describeError(fault)) as { message: string }
    return failed(JSON.stringify({ ...JSON.parse(described), backoff_error: message }))
  }
}
