import { nextLink, toCursor } from '../requests/cursor.ts'
import type { AnyCall } from '../routing/route.ts'

/** How many to read for a page: one more than it shows tells whether there is a next. */
export function toRead(limit: number): number {
  return limit + 1
}

/** The answer with a page of what was read; `placeOf` is what the next page goes on from. */
export function pageOf<Row, Item>(
  { url, context }: Pick<AnyCall, 'url' | 'context'>,
  read: readonly Row[],
  limit: number,
  { placeOf, show }: { placeOf: (row: Row) => string; show: (row: Row) => Item },
) {
  const rows = read.slice(0, limit)
  const last = rows.at(-1)
  const hasMore = read.length > limit && last !== undefined
  const next_cursor = hasMore ? toCursor(placeOf(last)) : null
  return {
    status: 200 as const,
    headers: nextLink(url, context.basePath, next_cursor),
    body: { items: rows.map(show), next_cursor },
  }
}

/** A list that has but one page. */
export function wholeList<Item>(items: readonly Item[]) {
  return { status: 200 as const, body: { items, next_cursor: null } }
}
