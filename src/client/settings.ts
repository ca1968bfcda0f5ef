import type { Backoff, Json } from '../engine/task.ts'
import { snakeCase } from '../lib/casing.ts'
import { type Duration, toInterval } from '../lib/duration.ts'
import { backoffInSql } from '../tasks/backoff-in-sql.ts'

/** Limits of a queue or a group. Null removes a limit. */
export interface Limits {
  /** At most this many tasks run at once. */
  readonly maxRunning?: number | null
  /** The least time between two starts; with `gapFrom: 'end'`, between an end and the next start. */
  readonly gap?: Duration | null
  readonly gapFrom?: 'start' | 'end'
  /** At most this many starts in any `rateWindow`. */
  readonly rate?: number | null
  readonly rateWindow?: Duration | null
}

/** The settings of a group. What you leave out keeps its value. */
export interface GroupSettings extends Limits {
  /** Its share in a fair queue. */
  readonly weight?: number
}

/** The settings of a queue. What you leave out keeps its value; null restores the default, that of the queue `*`. */
export interface QueueSettings extends Limits {
  readonly maxAttempts?: number | null
  /** In bytes. */
  readonly maxPayload?: number | null
  /** The most running tasks of each group in this queue that has no limit of its own. */
  readonly groupMaxRunning?: number | null
  readonly keepDone?: Duration | null
  readonly keepFailed?: Duration | null
  readonly keepCancelled?: Duration | null
  readonly backoff?: Backoff | null
  /** What happens to a task whose worker was lost. */
  readonly onLost?: 'retry' | 'fail' | null
  /** How long a run may take, for tasks without a timeout of their own. */
  readonly timeout?: Duration | null
  /** The most rows kept of one result of a SQL task without `maxRows`. */
  readonly sqlMaxRows?: number | null
  /** The most bytes of the output of a SQL task without `maxBytes`. */
  readonly sqlMaxBytes?: number | null
  /** Claims from its groups in turn. */
  readonly isFair?: boolean
  /** Keeps a key taken after its task has ended. */
  readonly keepsKeys?: boolean
  readonly recordsEvents?: boolean
  /** Lets identical tasks share a row, which is faster. Default: true. */
  readonly packs?: boolean | null
}

const spans = ['gap', 'rateWindow', 'keepDone', 'keepFailed', 'keepCancelled'] as const

/** Converts names to those of SQL (`maxRunning` to `max_running`) and durations to text. */
export function inSql(settings: QueueSettings | GroupSettings): Json {
  const given: QueueSettings = settings
  const texts = spans.flatMap((name) =>
    typeof given[name] === 'number' ? [[name, toInterval(name, given[name])]] : [],
  )
  const backoff = given.backoff === undefined ? {} : { backoff: backoffInSql(given.backoff) }
  return snakeCase({ ...settings, ...backoff, ...Object.fromEntries(texts) }) as Json
}
