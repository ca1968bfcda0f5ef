import { Problem } from '../answers/problem.ts'
import { pathOf } from './path-of.ts'

/** A place in a list as clients carry it: opaque to them, so that lists may change what it is made of. */
export function toCursor(place: string | null): string | null {
  return place === null ? null : Buffer.from(place).toString('base64url')
}

/** The place again. The route that reads the list checks its parts. */
export function fromCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined
  const place = Buffer.from(cursor, 'base64url').toString()
  if (toCursor(place) === cursor && place !== '') return place
  throw new Problem(422, 'invalid_request', 'query.cursor: not a valid cursor', {
    hint: 'Send the next_cursor of the previous page unchanged, or leave it out.',
    errors: [{ path: 'query.cursor', message: 'not a valid cursor' }],
  })
}

/** The page after this one as a Link header, with the same filter. */
export function nextLink(
  url: URL,
  basePath: string,
  cursor: string | null,
): Record<string, string> {
  if (cursor === null) return {}
  const query = new URLSearchParams(url.searchParams)
  query.set('cursor', cursor)
  return { link: `<${basePath}${pathOf(url, basePath)}?${query}>; rel="next"` }
}
