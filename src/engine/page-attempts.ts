import type { Queryable } from '../db/queryable.ts'
import { asNumbers } from './as-numbers.ts'
import { call } from './call.ts'
import type { Attempt } from './looking.ts'

export interface AttemptsPage {
  /** Only attempts after this position: the `next` of the previous page. */
  readonly after?: string | undefined
  readonly limit?: number | undefined
  /** The order. Default: the oldest first. */
  readonly order?: 'oldest' | 'newest' | undefined
}

interface Measured extends Attempt {
  readonly place: string
  /** How many attempts there are up to here, and how many bytes their errors have. */
  readonly n: number
  readonly bytes: string
}

const mostBytes = 8 * 1024 * 1024

/**
 * A page of the failed attempts of a task: up to `limit`, with at most 8 MB of errors, but at least one attempt. Pass
 * `next` as `after` to get the next page; it is null on the last.
 *
 * Attempts are read one by one by their index, so that Postgres decompresses only the errors on the page to measure
 * them. One extra row tells whether there is a next page.
 */
export async function pageAttempts(
  db: Queryable,
  schema: string,
  task: string,
  { after, limit = 100, order = 'oldest' }: AttemptsPage,
): Promise<{ attempts: Attempt[]; next: string | null }> {
  const [behind, direction, before] =
    order === 'oldest' ? ['>', 'asc', '-infinity'] : ['<', 'desc', 'infinity']
  const text = `with recursive page as (
    select first.*, 1 as n, coalesce(octet_length(first.error::text), 0)::bigint
             + coalesce(octet_length(first.payload::text), 0) as bytes
    from (
      select * from ${schema}.attempt
      where task = $1 and ended_at ${behind} $2
      order by ended_at ${direction}
      limit 1
    ) as first
    union all
    select next.*, page.n + 1, page.bytes + coalesce(octet_length(next.error::text), 0)
             + coalesce(octet_length(next.payload::text), 0)
    from page
    cross join lateral (
      select * from ${schema}.attempt
      where task = $1 and ended_at ${behind} page.ended_at
      order by ended_at ${direction}
      limit 1
    ) as next
    where page.n <= $3 and page.bytes <= $4
  )
  select ${asNumbers('iteration')}, attempt, reason, worker, started_at, ended_at, error, payload, ended_at::text as place, n, bytes
  from page
  order by n`
  const read = await call<Measured>(db, text, [task, after ?? before, limit, mostBytes])
  const fitting = read.filter(
    ({ n, bytes }) => n <= limit && (n === 1 || Number(bytes) <= mostBytes),
  )
  const next = fitting.length < read.length ? (fitting.at(-1)?.place ?? null) : null
  return { attempts: fitting.map(({ place: _, n: __, bytes: ___, ...attempt }) => attempt), next }
}
