import { Problem } from '../answers/problem.ts'
import { allows, allowsSomewhere, type RouteScope } from './scopes.ts'

/** Who asks, and what they may do. */
export interface Caller {
  /** For people: the name of the token, or what `authenticate` said. */
  readonly name: string
  /** The id of the token; null for those who came another way. */
  readonly token: string | null
  readonly scopes: readonly string[]
  /** A session is a cookie, which browsers send by themselves; so it must show where it comes from. */
  readonly by: 'bearer' | 'session' | 'application' | 'nobody'
  readonly expiresAt: Date | null
}

export const anonymous: Caller = {
  name: 'nobody',
  token: null,
  scopes: [],
  by: 'nobody',
  expiresAt: null,
}

/** Refuses a caller who lacks a right in a queue; without a queue, who lacks it anywhere. */
export function requireScope(caller: Caller, right: RouteScope, queue?: string): void {
  if (!allows(caller.scopes, right, queue)) {
    throw missing(caller, queue === undefined ? right : `${right}:${queue}`)
  }
}

/** To have it in some queue will do for now: the handler asks again once it knows which. */
export function requireScopeSomewhere(caller: Caller, right: RouteScope): void {
  if (!allowsSomewhere(caller.scopes, right)) throw missing(caller, right)
}

/** What its buckets and requests are kept under. */
export function callerKey({ token, name, by }: Caller): string {
  return token === null ? `${by} ${name}` : `token ${token}`
}

function missing({ scopes }: Caller, scope: string): Problem {
  return new Problem(403, 'missing_scope', `this request needs the scope ${scope}`, {
    hint: `The caller has ${scopes.length === 0 ? 'no scope' : scopes.join(', ')}. Use a token that has ${scope}.`,
  })
}
