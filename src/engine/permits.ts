/** What a route may ask of a token. */
export type Scope = 'read' | 'enqueue' | 'consume' | 'sql' | 'operate' | 'admin'

/** What each scope has in it besides itself. */
const within: ReadonlyMap<string, readonly Scope[]> = new Map([
  ['operate', ['read', 'enqueue', 'consume']],
  ['admin', ['read', 'enqueue', 'consume', 'sql', 'operate']],
])

/**
 * Whether scopes allow what is asked for, in one queue or, without a queue, in all of them.
 *
 * @example
 * ```ts
 * permits(['enqueue:mail'], 'enqueue', 'mail') // true
 * permits(['enqueue:mail'], 'enqueue')         // false: in all queues it does not
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
