import type { TestEngine } from './test-engine.ts'

/** From this second on, clocks are this many seconds ahead of UTC. */
export interface Setting {
  readonly from: number
  readonly offset: number
}

/** The settings of a zone's clocks in a span of time, in order; the first one holds from before it. */
export interface ZoneClocks {
  readonly zone: string
  readonly settings: readonly Setting[]
}

/**
 * How the clocks of zones are set in a span of time, by Postgres' own data: looked at every six
 * hours, and every minute between two looks that differ. Asks for nothing but what clocks show at
 * an instant, which no rule of ours is in.
 */
export async function readClocks(
  engine: TestEngine,
  zones: readonly string[],
  from: string,
  to: string,
): Promise<ZoneClocks[]> {
  const rows = await engine.rows<{ zone: string; from: number; offset: number }>(
    `with looks as (
       select zone, at, extract(epoch from at at time zone zone - at at time zone 'UTC') as seconds
       from unnest($1::text[]) as zone, generate_series($2::timestamptz, $3, '6 hours') as at
     ), changes as (
       select * from (
         select *, lag(seconds) over (partition by zone order by at) as before from looks
       ) as compared
       where before is distinct from seconds
     )
     select zone, extract(epoch from coalesce(minute, at))::float8 as from, seconds::float8 as offset
     from changes
     left join lateral (
       select min(minute) as minute
       from generate_series(at - interval '6 hours', at, '1 minute') as minute
       where before is not null
         and extract(epoch from minute at time zone zone - minute at time zone 'UTC') <> before
     ) as found on true
     order by zone, 2`,
    zones,
    from,
    to,
  )
  const clocks = new Map<string, Setting[]>(zones.map((zone) => [zone, []]))
  for (const { zone, from, offset } of rows) clocks.get(zone)?.push({ from, offset })
  return [...clocks].map(([zone, settings]) => ({ zone, settings }))
}
