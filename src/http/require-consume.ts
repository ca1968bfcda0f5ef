import { requireScope } from './caller.ts'
import type { AnyCall } from './route.ts'
import { allows } from './scopes.ts'

/**
 * Refuses words about a claim of a queue that the caller may not serve. One that is over is left to the
 * engine, which refuses it as lost.
 */
export async function requireConsume(
  { caller, context }: Pick<AnyCall, 'caller' | 'context'>,
  claim: string,
): Promise<void> {
  if (allows(caller.scopes, 'consume')) return
  const queue = await context.verbs.queueOfClaim(context.writes, claim)
  if (queue !== null) requireScope(caller, 'consume', queue)
}
