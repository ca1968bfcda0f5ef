import type { z } from '@hono/zod-openapi'
import type { Sendable } from '../routing/call.ts'

/** A row as it is answered: what the schema declares, and nothing that a view may gain one day. */
export function onTheWire<Schema extends z.ZodObject>(
  schema: Schema,
  row: Sendable<z.input<Schema>>,
): Sendable<z.input<Schema>> {
  const given = row as Readonly<Record<string, unknown>>
  const names = Object.keys(schema.shape).filter((name) => given[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, given[name]])) as Sendable<z.input<Schema>>
}
