import type { AnyCall } from '../routing/route.ts'
import { requireScope } from './caller.ts'
import { allows } from './scopes.ts'

/**
 * The claim that a token is for. Refuses one that was not given out, and one of a queue that the caller
 * may not serve. One that is over is left to the engine, which refuses it as lost.
 */
export async function requireConsume(
  { caller, context }: Pick<AnyCall, 'caller' | 'context'>,
  token: string,
): Promise<string> {
  const claim = await context.claims.read(token)
  if (allows(caller.scopes, 'consume')) return claim
  const queue = await context.verbs.queueOfClaim(context.writes, claim)
  if (queue !== null) requireScope(caller, 'consume', queue)
  return claim
}
