import { type ErrorCode, TuskError } from '../lib/errors.ts'

/** Anything that can run one statement with parameters: a pool, a client, or a caller's transaction. */
export interface Queryable {
  query<Row extends object = Record<string, unknown>>(
    text: string,
    values?: unknown[],
  ): Promise<{ rows: Row[]; rowCount: number | null }>
}

/** The engine's own SQLSTATEs; sql/core/refuse.sql raises them, sql/install TK011, TK012 and TK014. */
export const codeBySqlState: Readonly<Record<string, ErrorCode>> = {
  TK001: 'lease_lost',
  TK002: 'task_not_found',
  TK003: 'wrong_state',
  TK004: 'invalid_argument',
  TK005: 'payload_too_large',
  TK006: 'key_taken',
  TK007: 'leadership_lost',
  TK008: 'schedule_not_found',
  TK009: 'token_not_found',
  TK010: 'operation_not_found',
  TK011: 'migration_edited',
  TK012: 'schema_newer',
  TK013: 'not_permitted',
  TK014: 'schema_not_owned',
  TK015: 'queue_not_found',
}

interface DatabaseError {
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
}

function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && typeof (error as { code?: unknown }).code === 'string'
}

/** Converts the engine's errors to TuskErrors. Other errors pass unchanged. */
export function translate(error: unknown): unknown {
  if (!isDatabaseError(error)) return error
  const code = codeBySqlState[error.code]
  if (code === undefined) return error
  return new TuskError(code, error.message, { hint: error.hint, cause: error })
}
