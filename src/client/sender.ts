import type pg from 'pg'
import { type OnPoolOptions, onPool } from '../db/on-pool.ts'
import type { Enqueued, NewTask } from '../engine/task.ts'
import type { Verbs } from '../engine/verbs.ts'
import { TuskError } from '../lib/errors.ts'

/**
 * Stores tasks on a connection of the pool. If the connection is lost, it distinguishes two cases: before the statement
 * was sent, nothing was stored; afterwards, the outcome is unknown.
 */
export async function send(
  pool: pg.Pool,
  verbs: Verbs,
  tasks: readonly NewTask[],
  options: OnPoolOptions = {},
): Promise<readonly Enqueued[]> {
  try {
    return await onPool(pool, options, (db) => verbs.enqueueTasks(db, tasks))
  } catch (error) {
    throw isUndecided(error) ? outcomeUnknown(tasks.length, error) : error
  }
}

/**
 * An error from the server means that the statement was rolled back, except FATAL, which may arrive between the commit
 * and its acknowledgement.
 */
function isUndecided(error: unknown): boolean {
  if (error instanceof TuskError) return false
  const { code, severity } = error as { code?: unknown; severity?: unknown }
  if (typeof severity !== 'string') return true
  // Some servers translate severities, but the SQLSTATE classes that end a connection are never translated.
  return /^(57P|08|25P)/.test(String(code)) || severity === 'FATAL' || severity === 'PANIC'
}

function outcomeUnknown(count: number, cause: unknown): TuskError {
  const what = count === 1 ? 'the task was' : `${count} tasks were`
  const message = `the connection was lost while ${what} being stored: it is unknown whether they exist`
  return new TuskError('outcome_unknown', message, {
    hint: 'Look for them, or enqueue again with a key, which cannot make a second one.',
    cause,
  })
}
