import type { Client } from 'pg'
import type { Metrics } from '../../shared/cells.ts'

interface Death {
  readonly victim: number
  /** Milliseconds by the clock of the database. */
  readonly diedAt: number
  readonly steps: number
}

/**
 * Computed only from the effects, not from what a subject reports. Orphans are runs whose last
 * effect before the kill came from the killed process, and that had not ended.
 */
const text = `
  with effects as (
    select run, step, pid, extract(epoch from at)::float8 * 1000 as at from bench_effects
  ), runs as (
    select run,
           (array_agg(pid order by at desc) filter (where at <= $2))[1] = $1
             and coalesce(min(at) filter (where step = 0), 'infinity') > $2 as is_orphan,
           min(at) filter (where at > $2) as resumed_at,
           count(distinct step) filter (where step > 0) = $3
             and count(*) filter (where step = 0) > 0 as is_whole,
           min(at) filter (where step = 0) as ended_at
    from effects group by run
  ), repeated as (
    select count(*) - 1 as times from effects where step > 0 group by run, step
  )
  select count(*) filter (where is_orphan)::int as orphans,
         count(*) filter (where is_whole)::int as done,
         count(*) filter (where is_whole and ended_at <= $2 + 20000)::int as "doneSoon",
         (select coalesce(sum(times), 0)::int from repeated) as doubled,
         (max(resumed_at) filter (where is_orphan) - $2) / 1000 as "resumed"
  from runs`

export async function judge(admin: Client, { victim, diedAt, steps }: Death): Promise<Metrics> {
  const { rows } = await admin.query<Record<string, number | null>>(text, [victim, diedAt, steps])
  const figures = Object.entries(rows[0] ?? {}).map(([name, value]) => [name, value ?? Number.NaN])
  return Object.fromEntries(figures) as Metrics
}
