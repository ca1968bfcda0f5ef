/** The scope that a route requires of a token. */
export type Scope = 'read' | 'enqueue' | 'consume' | 'sql' | 'operate' | 'admin'

/** The scopes that each scope includes. */
const within: ReadonlyMap<string, readonly Scope[]> = new Map([
  ['operate', ['read', 'enqueue', 'consume']],
  ['admin', ['read', 'enqueue', 'consume', 'sql', 'operate']],
])

/**
 * Whether scopes allow an action in one queue or, without a queue, in all queues.
 *
 * @example
 * ```ts
 * permits(['enqueue:mail'], 'enqueue', 'mail') // true
 * permits(['enqueue:mail'], 'enqueue')         // false: not in all queues
 * ```
 */
export function permits(scopes: readonly string[], needed: Scope, queue?: string): boolean {
  return scopes.some(
    (scope) =>
      scope === needed ||
      within.get(scope)?.includes(needed) === true ||
      (queue !== undefined && scope === `${needed}:${queue}`),
  )
}
