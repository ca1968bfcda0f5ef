import type { Backoff, Json } from '../engine/task.ts'
import { snakeCase } from '../lib/casing.ts'
import { type Duration, toInterval } from '../lib/duration.ts'
import { backoffInSql } from '../tasks/backoff-in-sql.ts'

/** Limits of a queue or a group. Null lifts one. */
export interface Limits {
  /** At most so many run at once. */
  readonly maxRunning?: number | null
  /** At least so long between two starts; with `gapFrom: 'end'` from an end to the next start. */
  readonly gap?: Duration | null
  readonly gapFrom?: 'start' | 'end'
  /** At most so many starts in any `rateWindow`. */
  readonly rate?: number | null
  readonly rateWindow?: Duration | null
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
  readonly keepDone?: Duration | null
  readonly keepFailed?: Duration | null
  readonly keepCancelled?: Duration | null
  readonly backoff?: Backoff | null
  /** What becomes of a task whose worker was lost. */
  readonly onLost?: 'retry' | 'fail' | null
  /** How long a run may take of tasks that do not say it themselves. */
  readonly timeout?: Duration | null
  /** Most rows that are kept of one result of a SQL task that does not say `maxRows`. */
  readonly sqlMaxRows?: number | null
  /** Most bytes of an output of a SQL task that does not say `maxBytes`. */
  readonly sqlMaxBytes?: number | null
  /** Takes from its groups in turn. */
  readonly isFair?: boolean
  /** A key stays taken after its task has ended. */
  readonly keepsKeys?: boolean
  readonly recordsEvents?: boolean
  /** Tasks that are alike may share a row, which is faster. On by default. */
  readonly packs?: boolean | null
}

const spans = ['gap', 'rateWindow', 'keepDone', 'keepFailed', 'keepCancelled'] as const

/** The names that SQL knows: `maxRunning` is `max_running`; durations as text. */
export function inSql(settings: QueueSettings | GroupSettings): Json {
  const given: QueueSettings = settings
  const texts = spans.flatMap((name) =>
    typeof given[name] === 'number' ? [[name, toInterval(name, given[name])]] : [],
  )
  const backoff = given.backoff === undefined ? {} : { backoff: backoffInSql(given.backoff) }
  return snakeCase({ ...settings, ...backoff, ...Object.fromEntries(texts) }) as Json
}
