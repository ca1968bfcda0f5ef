import { z } from '@hono/zod-openapi'

/** Ids are numbers too large for JavaScript, so they travel as text. */
export const id = z
  .string()
  .regex(/^[1-9]\d{0,18}$/, 'an id is a whole number')
  .openapi({ example: '42' })

/** A time that a client sends: it must say where. */
export const givenTime = z.iso
  .datetime({ offset: true, error: 'a time is ISO 8601 with a zone: 2026-11-16T09:30:00Z' })
  .openapi({ format: 'date-time' })

/** A time that we answer with. */
export const time = z.string().openapi({ format: 'date-time', example: '2026-11-16T09:30:00.000Z' })

/** A span of time, as Postgres reads it. */
export const duration = z.string().min(1).openapi({ example: '30 seconds' })

/** Any JSON at all. */
export const json = z.unknown().openapi({ description: 'Any JSON value.' })

/** How many of a list, and from where. */
export const page = {
  cursor: z.string().optional().openapi({ description: 'The next_cursor of the previous page.' }),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
}

/** A page of a list. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    next_cursor: z.string().nullable().openapi({ description: 'Null on the last page.' }),
  })
}

/** What a path says is meant. */
export const byId = z.object({ id })
export const byName = z.object({ name: z.string().min(1) })

export type AnySchema = z.ZodType
/** What a schema describes, once it is checked. */
export type Answer<Schema extends AnySchema> = z.output<Schema>
