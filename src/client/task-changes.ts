import type { Backoff, Json } from '../engine/task.ts'
import { timeLiteral } from '../engine/time-literal.ts'
import { snakeCase } from '../lib/casing.ts'
import { type Duration, toInterval } from '../lib/duration.ts'
import { backoffInSql } from '../tasks/backoff-in-sql.ts'
import { requireTime } from './new-task.ts'

/** The changes that amend() can make. What you leave out keeps its value; null restores the default. */
export interface TaskChanges {
  readonly payload?: Json | undefined
  readonly runAt?: Date | null | undefined
  readonly deadline?: Date | null | undefined
  readonly priority?: number | null | undefined
  readonly version?: number | null | undefined
  readonly groups?: readonly string[] | null | undefined
  readonly maxRunning?: number | null | undefined
  readonly tags?: readonly string[] | null | undefined
  readonly timeout?: Duration | null | undefined
  readonly maxAttempts?: number | null | undefined
  readonly backoff?: Backoff | null | undefined
  readonly retention?: Duration | null | undefined
  readonly parent?: string | null | undefined
  readonly meta?: Readonly<Record<string, Json>> | null | undefined
}

/** Converts changes to what amend() takes: SQL names, times and durations as text. */
export function changesInSql(changes: TaskChanges): Json {
  const { runAt, deadline, timeout, retention } = changes
  return snakeCase({
    ...changes,
    runAt: timeInSql('runAt', runAt),
    deadline: timeInSql('deadline', deadline),
    timeout: timeout === null ? null : toInterval('timeout', timeout),
    retention: retention === null ? null : toInterval('retention', retention),
    backoff: backoffInSql(changes.backoff),
  }) as Json
}

function timeInSql(name: string, time: Date | null | undefined): string | null | undefined {
  if (time === null || time === undefined) return time
  requireTime(name, time)
  return timeLiteral(time)
}
