import { Problem } from '../answers/problem.ts'
import type { AnyCall } from '../routing/route.ts'
import { requireScope } from './caller.ts'

type Asked = Pick<AnyCall, 'context' | 'caller'>

/**
 * Refuses SQL that comes over HTTP unless the server is set to accept it and the caller has the scope.
 * Whatever makes or changes the payload of a SQL task asks here first.
 */
export function requireSql({ context, caller }: Asked): void {
  if (!context.allowsSql) {
    throw new Problem(403, 'sql_over_http_off', 'this server accepts no SQL over HTTP', {
      hint: 'Start the server with --http-sql, or createHttp({ sql: true }).',
    })
  }
  requireScope(caller, 'sql')
}

/** The same, when it is a SQL task that gets another payload. */
export async function requireSqlOf(call: Asked, id: string, payload: unknown): Promise<void> {
  if (payload === undefined) return
  const { verbs, reads } = call.context
  const task = await verbs.task(reads, id)
  if (task?.kind === 'sql') requireSql(call)
}
