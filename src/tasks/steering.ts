import type { Json } from '../engine/task.ts'
import { type Duration, toInterval } from '../lib/duration.ts'
import { requireOptions } from '../lib/require-known.ts'

/**
 * What a handler may return or throw instead of an output or an error, to decide what happens to its task. Created by
 * the functions below; anything else that a handler returns is its output.
 */
export type Steering =
  | { readonly steer: 'reschedule'; readonly runAt: Date; readonly payload?: Json }
  | { readonly steer: 'reject'; readonly error: Json; readonly delay?: string }
  | { readonly steer: 'kill'; readonly error: Json }
  | { readonly steer: 'fail'; readonly error: Json }

/** A steering that you can throw as well as return. */
export class Steered extends Error {
  override readonly name = 'Steered'
  readonly steering: Steering

  constructor(steering: Steering) {
    super(`steered: ${steering.steer}`)
    this.steering = steering
  }
}

/** Runs the task again at that time, as a new iteration: attempts start from 0. */
export function reschedule(runAt: Date, payload?: Json): Steered {
  return new Steered({ steer: 'reschedule', runAt, ...(payload === undefined ? {} : { payload }) })
}

/** Rejects the task for now. Counts as a failed attempt; retried after the delay or the backoff. */
export function reject(message: string, options: { delay?: Duration } = {}): Steered {
  requireOptions('reject()', options, { delay: true })
  const delay = toInterval('delay', options.delay)
  return new Steered({
    steer: 'reject',
    error: { message },
    ...(delay === undefined ? {} : { delay }),
  })
}

/** Fails the task for good, with the reason `killed`. */
export function kill(message: string): Steered {
  return new Steered({ steer: 'kill', error: { message } })
}

/** Fails the task for good with the reason `error`, even if attempts are left, because a retry would not help. */
export function failForGood(message: string): Steered {
  return new Steered({ steer: 'fail', error: { message } })
}
