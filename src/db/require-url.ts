import { TuskError } from '../lib/errors.ts'
import { urlFault, urlShape } from './url-fault.ts'

/**
 * Refuses a connection string of which no connection can be made; `name` is what it was given as. What is
 * no string, such as a pool, is left to its user.
 */
export function requireUrl(given: unknown, name: string): void {
  const fault = typeof given === 'string' ? urlFault(given) : undefined
  if (fault === undefined) return
  throw new TuskError('invalid_argument', `${name} must be ${urlShape}: ${fault}`, {
    hint: 'Correct the connection string.',
  })
}
