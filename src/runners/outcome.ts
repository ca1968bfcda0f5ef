/** The outcome of one run. Runners produce it; only the reporter acts on it. Values are JSON text. */
export type Outcome =
  | { readonly kind: 'done'; readonly output: string | null }
  | Failed
  | { readonly kind: 'rescheduled'; readonly runAt: Date; readonly payload: string | null }
  | { readonly kind: 'rejected'; readonly error: string; readonly delay: string | null }
  | { readonly kind: 'killed'; readonly error: string }
  /** Returned to the queue as if it had not been claimed. */
  | { readonly kind: 'released' }
  /** The task's own transaction has completed it. */
  | { readonly kind: 'committed' }
  /** It has released its claim itself, and waits. */
  | { readonly kind: 'suspended' }
  /** This worker no longer holds it, so there is nothing to report. */
  | { readonly kind: 'dropped' }

export interface Failed {
  readonly kind: 'failed'
  readonly error: string
  readonly reason: 'error' | 'timeout'
  readonly retry: boolean
  readonly delay: string | null
  /** What the handler threw, for event listeners. The database gets `error`. */
  readonly thrown?: unknown
}

/** A failed attempt. It is retried, unless the options say otherwise. */
export function failed(
  error: string,
  options: Partial<Omit<Failed, 'kind' | 'error'>> = {},
): Failed {
  return { kind: 'failed', error, reason: 'error', retry: true, delay: null, ...options }
}
