import type { Backoff, Json } from '../engine/task.ts'

/** Limits of a queue or a group. Null lifts one. */
export interface Limits {
  /** At most so many run at once. */
  readonly maxRunning?: number | null
  /** At least so long between two starts; with `gapFrom: 'end'` from an end to the next start. */
  readonly gap?: string | null
  readonly gapFrom?: 'start' | 'end'
  /** At most so many starts in any `rateWindow`. */
  readonly rate?: number | null
  readonly rateWindow?: string | null
}

/** What a group can be set to. What is left out stays as it is. */
export interface GroupSettings extends Limits {
  /** Its share in a fair queue. */
  readonly weight?: number
}

/** What a queue can be set to. What is left out stays as it is; null is the default again, that of the queue `*`. */
export interface QueueSettings extends Limits {
  readonly maxAttempts?: number | null
  /** In bytes. */
  readonly maxPayload?: number | null
  /** For each group in it that has no limit of its own. */
  readonly groupMaxRunning?: number | null
  readonly keepDone?: string | null
  readonly keepFailed?: string | null
  readonly keepCancelled?: string | null
  readonly backoff?: Backoff | null
  /** What becomes of a task whose worker was lost. */
  readonly onLost?: 'retry' | 'fail' | null
  /** Takes from its groups in turn. */
  readonly isFair?: boolean
  /** A key stays taken after its task has ended. */
  readonly keepsKeys?: boolean
  readonly recordsEvents?: boolean
}

/** The names that SQL knows: `maxRunning` is `max_running`. */
export function inSql(settings: QueueSettings | GroupSettings): Json {
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value as Json,
    ]),
  )
}
