import { TuskError } from '../lib/errors.ts'
import { redact } from '../lib/redact.ts'
import { describeTlsError } from './tls-error.ts'

/** No connection could be made. Nothing was sent, so nothing was done. */
export function unreachableError(cause: unknown): TuskError {
  const refused = describeTlsError(cause)
  if (refused !== undefined) return refused
  const why = cause instanceof Error ? cause.message || cause.name : String(cause)
  return new TuskError('database_unreachable', `cannot reach Postgres: ${redact(why)}`, {
    hint: 'Check that it is running and that the connection string is right.',
    cause,
  })
}
