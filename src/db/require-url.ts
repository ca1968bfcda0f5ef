import { TuskError } from '../lib/errors.ts'
import { urlFault, urlShape } from './url-fault.ts'

/**
 * Rejects an invalid connection string; `name` says where it came from. Values other than strings, such as a pool, are
 * not checked here.
 */
export function requireUrl(given: unknown, name: string): void {
  const fault = typeof given === 'string' ? urlFault(given) : undefined
  if (fault === undefined) return
  throw new TuskError('invalid_argument', `${name} must be ${urlShape}: ${fault}`, {
    hint: 'Correct the connection string.',
  })
}
