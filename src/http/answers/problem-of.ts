import { isConnectionLost } from '../../db/connection-errors.ts'
import { type ErrorCode, TuskError } from '../../lib/errors.ts'
import { Problem } from './problem.ts'

/** A new code does not compile until it has a status. */
const statusByCode: Readonly<Record<ErrorCode, number>> = {
  lease_lost: 409,
  task_not_found: 404,
  wrong_state: 409,
  invalid_argument: 422,
  invalid_payload: 422,
  payload_too_large: 413,
  key_taken: 409,
  leadership_lost: 409,
  schedule_not_found: 404,
  token_not_found: 404,
  operation_not_found: 404,
  queue_not_found: 404,
  not_permitted: 403,
  too_many_pending: 503,
  outcome_unknown: 503,
  task_failed: 409,
  task_cancelled: 409,
  wait_timeout: 504,
  client_closed: 503,
  schema_missing: 503,
  schema_behind: 503,
  migration_edited: 503,
  schema_newer: 503,
  schema_not_owned: 503,
  schema_locked: 503,
  database_unreachable: 503,
  database_read_only: 503,
  postgres_unavailable: 503,
}

/** A client need not know where the database is, or what it answered. */
const away = 'the database cannot be reached'

/** The answer for an error of any kind. The text of an unexpected error stays inside. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof TuskError) return refused(error)
  if (isConnectionLost(error)) return unreachable(error)
  return ofSqlState((error as { code?: unknown } | null)?.code, error)
}

function refused(error: TuskError): Problem {
  const { code, message, hint, cause } = error
  if (code === 'database_unreachable') return unreachable(error)
  const status = statusByCode[code]
  const headers: Record<string, string> = status === 503 ? { 'retry-after': '1' } : {}
  return new Problem(status, code, message, { hint, headers, cause })
}

function unreachable(cause: unknown): Problem {
  return new Problem(503, 'database_unreachable', away, {
    hint: 'Try again in a moment.',
    headers: { 'retry-after': '1' },
    cause,
  })
}

function ofSqlState(state: unknown, cause: unknown): Problem {
  switch (state) {
    case '57014':
      return new Problem(503, 'statement_timeout', 'the database took too long to answer', {
        hint: 'Ask for less, such as a smaller page, or try again: another session may have held a lock.',
        headers: { 'retry-after': '1' },
        cause,
      })
    case '40001':
    case '40P01':
    case '55P03':
      return new Problem(503, 'try_again', 'another session was changing the same rows', {
        hint: 'Nothing was changed. Send the request again.',
        headers: { 'retry-after': '1' },
        cause,
      })
    case '42501':
      return new Problem(
        403,
        'not_permitted',
        'the database role of this server lacks a right that this needs',
        {
          hint: 'Let the server log in as a role that is a member of the right role of Tusk.',
          cause,
        },
      )
    default:
      return new Problem(500, 'internal', 'an unexpected error occurred in the server', {
        hint: "Look for this request_id in the server's log.",
        cause,
      })
  }
}
