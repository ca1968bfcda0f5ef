import type pg from 'pg'
import type { Queryable } from './queryable.ts'
import { ServerClient } from './server-client.js'

/** The most statements that get a name; the engine has fewer. Each keeps a plan in every session that has used it. */
const mostNames = 200
const names = new Map<string, string>()

/** The name of a statement, the same in all sessions. Undefined if there are too many. */
export function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= mostNames) return known
  const name = `tusk_${names.size + 1}`
  names.set(text, name)
  return name
}

/**
 * Wraps a connection so that the server parses and plans each statement once per session instead of once per call: a
 * third of the cost of a claim that finds nothing. Only for the engine's statements, and only on connections straight
 * to the server: behind a pooler the next statement may run in another session, which does not know the name.
 */
export function withNames(client: pg.ClientBase, options: object = {}): Queryable {
  const send = <Row extends object>(text: string, values: unknown[], name?: string) =>
    client.query<Row>({ text, values, ...options, ...(name === undefined ? {} : { name }) })
  return {
    query: async <Row extends object>(text: string, values: unknown[] = []) => {
      if (!(client instanceof ServerClient && client.keepsSession)) return send<Row>(text, values)
      // A text without parameters may contain several statements, which cannot have a name.
      const name = values.length > 0 ? nameOf(text) : undefined
      try {
        return await send<Row>(text, values, name)
      } catch (error) {
        if (!isPlanOutdated(error)) throw error
        client.keepsSession = false
        return send<Row>(text, values)
      }
    },
  }
}

/** `cached plan must not change result type`: an upgrade changed a function. Nothing has run. */
function isPlanOutdated(error: unknown): boolean {
  return (error as { code?: unknown }).code === '0A000'
}
