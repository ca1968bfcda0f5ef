/** What became of one run. Running produces it; only the reporter acts on it. Values are JSON text. */
export type Outcome =
  | { readonly kind: 'done'; readonly output: string | null }
  | Failed
  | { readonly kind: 'rescheduled'; readonly runAt: Date; readonly payload: string | null }
  | { readonly kind: 'rejected'; readonly error: string; readonly delay: string | null }
  | { readonly kind: 'killed'; readonly error: string }
  /** Handed back as if it had not been claimed. */
  | { readonly kind: 'released' }
  /** The task's own transaction has completed it. */
  | { readonly kind: 'committed' }
  /** It has given up its claim itself, and waits. */
  | { readonly kind: 'suspended' }
  /** It is somebody else's by now, or nobody's: nothing to say. */
  | { readonly kind: 'dropped' }

export interface Failed {
  readonly kind: 'failed'
  readonly error: string
  readonly reason: 'error' | 'timeout'
  readonly retry: boolean
  readonly delay: string | null
  /** What the handler threw, for those who listen; the database gets `error`. */
  readonly thrown?: unknown
}

/** A failure that another attempt may mend, unless told otherwise. */
export function failed(
  error: string,
  options: Partial<Omit<Failed, 'kind' | 'error'>> = {},
): Failed {
  return { kind: 'failed', error, reason: 'error', retry: true, delay: null, ...options }
}
