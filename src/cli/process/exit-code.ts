import { CommanderError } from 'commander'
import { type ErrorCode, TuskError } from '../../lib/errors.ts'
import { NotFound } from './not-found.ts'

export const exitCode = {
  ok: 0,
  failure: 1,
  usage: 2,
  notFound: 3,
  conflict: 4,
  taskFailed: 5,
  waitTimeout: 124,
} as const

/** What the shell learns of a refusal: a new code does not compile until it has a number. */
export const byErrorCode: Readonly<Record<ErrorCode, number>> = {
  lease_lost: exitCode.conflict,
  task_not_found: exitCode.notFound,
  wrong_state: exitCode.conflict,
  invalid_argument: exitCode.usage,
  invalid_payload: exitCode.usage,
  payload_too_large: exitCode.usage,
  leadership_lost: exitCode.conflict,
  schedule_not_found: exitCode.notFound,
  token_not_found: exitCode.notFound,
  operation_not_found: exitCode.notFound,
  queue_not_found: exitCode.notFound,
  not_permitted: exitCode.failure,
  key_taken: exitCode.conflict,
  too_many_pending: exitCode.failure,
  outcome_unknown: exitCode.failure,
  task_failed: exitCode.taskFailed,
  task_cancelled: exitCode.taskFailed,
  wait_timeout: exitCode.waitTimeout,
  client_closed: exitCode.failure,
  schema_missing: exitCode.failure,
  schema_behind: exitCode.failure,
  migration_edited: exitCode.failure,
  schema_newer: exitCode.failure,
  schema_not_owned: exitCode.failure,
  schema_locked: exitCode.conflict,
  database_unreachable: exitCode.failure,
  database_read_only: exitCode.failure,
  postgres_unavailable: exitCode.failure,
}

/** Ends a command whose reason has been printed already. */
export class Exit extends Error {
  override readonly name = 'Exit'
  readonly code: number

  constructor(code: number) {
    super(`exit ${code}`)
    this.code = code
  }
}

/** Commander reports `--help` and `--version` as errors too: they are the ones that exit with 0. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.usage
  if (error instanceof Exit) return error.code
  if (error instanceof NotFound) return exitCode.notFound
  return error instanceof TuskError ? byErrorCode[error.code] : exitCode.failure
}
