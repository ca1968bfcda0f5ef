/** Error codes. They do not change, so your code can compare them; messages are for people and may change. */
export type ErrorCode =
  | 'lease_lost'
  | 'task_not_found'
  | 'wrong_state'
  | 'invalid_argument'
  | 'invalid_payload'
  | 'payload_too_large'
  | 'key_taken'
  | 'leadership_lost'
  | 'schedule_not_found'
  | 'token_not_found'
  | 'operation_not_found'
  | 'queue_not_found'
  | 'not_permitted'
  | 'too_many_pending'
  | 'outcome_unknown'
  | 'task_failed'
  | 'task_cancelled'
  | 'wait_timeout'
  | 'client_closed'
  | 'schema_missing'
  | 'schema_behind'
  | 'migration_edited'
  | 'schema_newer'
  | 'schema_not_owned'
  | 'schema_locked'
  | 'database_unreachable'
  | 'database_read_only'
  | 'postgres_unavailable'

interface TuskErrorOptions {
  readonly hint?: string | undefined
  readonly cause?: unknown
}

/** The error class of Tusk: a code for programs, a message and a hint for people. */
export class TuskError extends Error {
  override readonly name = 'TuskError'
  readonly code: ErrorCode
  readonly hint: string | undefined

  constructor(code: ErrorCode, message: string, options: TuskErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.hint = options.hint
  }
}
