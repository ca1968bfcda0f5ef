import { TuskError } from '../lib/errors.ts'
import { untrusted } from './untrusted.ts'

/** No connection could be made. Nothing was sent: whatever was to be done has not been done. */
export function unreachable(cause: unknown): TuskError {
  const refused = untrusted(cause)
  if (refused !== undefined) return refused
  const why = cause instanceof Error ? cause.message || cause.name : String(cause)
  return new TuskError('database_unreachable', `cannot reach Postgres: ${why}`, {
    hint: 'Is it running, and is the connection string right?',
    cause,
  })
}
