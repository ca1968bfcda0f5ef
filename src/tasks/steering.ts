import type { Json } from '../engine/task.ts'
import { type Duration, toInterval } from '../lib/duration.ts'
import { requireOptions } from '../lib/require-known.ts'

/**
 * What a handler may return or throw instead of an output or an error, to steer what becomes of its
 * task. Made by the functions below; anything else a handler returns is its output.
 */
export type Steering =
  | { readonly steer: 'reschedule'; readonly runAt: Date; readonly payload?: Json }
  | { readonly steer: 'reject'; readonly error: Json; readonly delay?: string }
  | { readonly steer: 'kill'; readonly error: Json }
  | { readonly steer: 'fail'; readonly error: Json }

/** A steering that can be thrown as well as returned. */
export class Steered extends Error {
  override readonly name = 'Steered'
  readonly steering: Steering

  constructor(steering: Steering) {
    super(`steered: ${steering.steer}`)
    this.steering = steering
  }
}

/** Another round at that time; counts an iteration, and attempts begin anew. */
export function reschedule(runAt: Date, payload?: Json): Steered {
  return new Steered({ steer: 'reschedule', runAt, ...(payload === undefined ? {} : { payload }) })
}

/** Not now: charged like a failed attempt, tried again after the delay or the backoff. */
export function reject(message: string, options: { delay?: Duration } = {}): Steered {
  requireOptions('reject()', options, { delay: true })
  const delay = toInterval('delay', options.delay)
  return new Steered({
    steer: 'reject',
    error: { message },
    ...(delay === undefined ? {} : { delay }),
  })
}

/** Never: the task fails for good, reason `killed`. */
export function kill(message: string): Steered {
  return new Steered({ steer: 'kill', error: { message } })
}

/** Failed, and trying again would not help: reason `error`, whatever attempts are left. */
export function failForGood(message: string): Steered {
  return new Steered({ steer: 'fail', error: { message } })
}
