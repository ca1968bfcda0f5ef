import { permits, type Scope } from '../../engine/permits.ts'

/** What a route asks for: nothing at all, a caller of any kind, or a right. */
export type RouteScope = 'open' | 'any' | Scope

/** Whether scopes give a right: in one queue, or everywhere. */
export function allows(scopes: readonly string[], right: RouteScope, queue?: string): boolean {
  return right === 'open' || right === 'any' || permits(scopes, right, queue)
}

/** Whether they give it in some queue at least: in which one it is needed, the body will say. */
export function allowsSomewhere(scopes: readonly string[], right: RouteScope): boolean {
  return allows(scopes, right) || scopes.some((scope) => scope.startsWith(`${right}:`))
}
