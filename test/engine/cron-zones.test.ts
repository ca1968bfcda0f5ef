import { describe, expect } from 'vitest'
import { lookAtClock, type Plan } from '../support/cron-oracle.ts'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'
import { readClocks, type ZoneClocks } from '../support/zone-clocks.ts'

const everyDay = () => true

const hourly: Plan = {
  cron: '0 * * * *',
  isHourly: true,
  isTime: (_, minute) => minute === 0,
  isDay: everyDay,
}
const quarterly: Plan = {
  cron: '*/15 * * * *',
  isHourly: true,
  isTime: (_, minute) => minute % 15 === 0,
  isDay: everyDay,
}
const nightly: Plan = {
  cron: '30 2 * * *',
  isHourly: false,
  isTime: (hour, minute) => hour === 2 && minute === 30,
  isDay: everyDay,
}
const daily: Plan = {
  cron: '0 0 * * *',
  isHourly: false,
  isTime: (hour, minute) => hour === 0 && minute === 0,
  isDay: everyDay,
}
const monthly: Plan = {
  cron: '0 2 L * *',
  isHourly: false,
  isTime: (hour, minute) => hour === 2 && minute === 0,
  isDay: (day) => day.isLastOfMonth,
}
const weekly: Plan = {
  cron: '30 1 * * SUN',
  isHourly: false,
  isTime: (hour, minute) => hour === 1 && minute === 30,
  isDay: (day) => day.weekday === 0,
}
const dense: Plan = {
  cron: '*/20 0-3,23 * * *',
  isHourly: false,
  isTime: (hour, minute) => minute % 20 === 0 && (hour <= 3 || hour === 23),
  isDay: everyDay,
}
const weekends: Plan = {
  cron: '45 * * * 0,6',
  isHourly: true,
  isTime: (_, minute) => minute === 45,
  isDay: (day) => day.weekday === 0 || day.weekday === 6,
}

const days = 1440

/** Minutes since 1970. */
interface Span {
  readonly clocks: ZoneClocks
  readonly start: number
  readonly end: number
}

/** The days around each change of the clocks; where they never change, the end of a month. */
function spansOf(clocks: ZoneClocks, margin: number): Span[] {
  const changes = clocks.settings.slice(1).map(({ from }) => Math.floor(from / 60))
  if (changes.length > 0) {
    return changes.map((change) => ({ clocks, start: change - margin, end: change + margin }))
  }
  const lastOfMonth = Date.UTC(2026, 2, 31) / 60_000
  return [{ clocks, start: lastOfMonth - 3 * days, end: lastOfMonth + 2 * days }]
}

/** What the engine says comes in each span, in one statement. */
async function planned(engine: TestEngine, cron: string, spans: readonly Span[]) {
  const rows = await engine.rows<{ times: number[] }>(
    `select array(
       with recursive times (at) as (
         select next_cron(bits, zone, to_timestamp(first * 60))
         union all
         select next_cron(bits, zone, at) from times where at <= to_timestamp(last * 60)
       )
       select extract(epoch from at) / 60 from times where at <= to_timestamp(last * 60)
     )::float8[] as times
     from (select parse_cron($1) as bits offset 0) as parsed,
       unnest($2::text[], $3::float8[], $4::float8[]) with ordinality as spans (zone, first, last, place)
     order by place`,
    cron,
    spans.map(({ clocks }) => clocks.zone),
    spans.map(({ start }) => start),
    spans.map(({ end }) => end),
  )
  return rows.map(({ times }) => times)
}

/** Compares the engine with the clock on the wall, and names what differs. */
async function differences(
  engine: TestEngine,
  clocks: readonly ZoneClocks[],
  plan: Plan,
  margin: number,
) {
  const spans = clocks.flatMap((one) => spansOf(one, margin))
  const times = await planned(engine, plan.cron, spans)
  const found = times.flat().length
  const wrong = spans.flatMap(({ clocks: { zone, settings }, start, end }, index) => {
    const seen = lookAtClock(settings, plan, start, end)
    return String(seen) === String(times[index]) ? [] : [{ zone, seen, planned: times[index] }]
  })
  return { found, wrong }
}

async function allZones(engine: TestEngine): Promise<string[]> {
  const rows = await engine.rows<{ name: string }>(
    `select name from pg_timezone_names
     where name not like 'posix/%' and name not in ('CET', 'EET', 'MET', 'WET', 'EST', 'MST', 'HST')
     order by name`,
  )
  return rows.map(({ name }) => name)
}

describe('a schedule in every time zone', () => {
  test('comes as the clocks show it, across both changes of 2026', { timeout: 300_000 }, async ({
    engine,
  }) => {
    const zones = await allZones(engine)
    const clocks = await readClocks(engine, zones, '2026-01-01Z', '2027-01-01Z')
    const changing = clocks.filter(({ settings }) => settings.length > 1)

    const answers = [
      await differences(engine, clocks, hourly, 2 * days),
      await differences(engine, clocks, nightly, 7 * days),
      await differences(engine, clocks, monthly, 9 * days),
      await differences(engine, clocks, daily, 7 * days),
      await differences(engine, clocks, weekly, 9 * days),
      await differences(engine, changing, quarterly, days),
    ]

    expect(zones.length).toBeGreaterThan(500)
    expect(changing.length).toBeGreaterThan(150)
    for (const { found, wrong } of answers) {
      expect(wrong).toEqual([])
      expect(found).toBeGreaterThan(500)
    }
  })

  test.for([
    ['Australia/Lord_Howe', '2026', 'half an hour'],
    ['Antarctica/Troll', '2026', 'two hours'],
    ['Africa/Casablanca', '2026', 'for Ramadan'],
    ['Asia/Beirut', '2026', 'at midnight'],
    ['Africa/Cairo', '2026', 'at midnight'],
    ['America/Havana', '2026', 'at midnight'],
    ['America/Asuncion', '2023', 'at midnight'],
    ['America/Sao_Paulo', '2018', 'at midnight'],
    ['America/Scoresbysund', '2024', 'and the offset in one year'],
    ['Pacific/Apia', '2011', 'over a whole day'],
    ['Pacific/Kwajalein', '1993', 'over a whole day'],
    ['Pacific/Kwajalein', '1969', 'back by 23 hours'],
    ['America/Caracas', '2016', 'by half an hour'],
    ['Asia/Pyongyang', '2018', 'by half an hour'],
    ['Asia/Kathmandu', '1985', 'by a quarter of an hour'],
  ] as const)(
    'comes as the clocks of %s show it in %s, which change %s',
    async ([zone, year], { engine }) => {
      const clocks = await readClocks(
        engine,
        [zone],
        `${year}-01-01Z`,
        `${Number(year) + 1}-01-01Z`,
      )

      const plans = [hourly, quarterly, nightly, daily, monthly, weekly, dense, weekends]
      const wrong = await Promise.all(
        plans.map(async (plan) => (await differences(engine, clocks, plan, 9 * days)).wrong),
      )

      expect(clocks[0]?.settings.length).toBeGreaterThan(1)
      expect(wrong.flat()).toEqual([])
    },
  )

  test('asks for the next time from any moment, and gets the same ones', async ({ engine }) => {
    const [clocks] = await readClocks(engine, ['Europe/Berlin'], '2026-01-01Z', '2027-01-01Z')
    const change = Date.UTC(2026, 9, 25, 1) / 60_000
    const times = lookAtClock(clocks?.settings ?? [], dense, change - days, change + days)

    const rows = await engine.rows<{ at: number; next: number }>(
      `select at::float8, extract(epoch from next_cron(parse_cron($1), 'Europe/Berlin', to_timestamp(at * 60)))::float8 / 60 as next
       from generate_series($2::integer, $3::integer, 7) as at`,
      dense.cron,
      change - days,
      change + days - 400,
    )

    expect(rows.length).toBeGreaterThan(300)
    for (const { at, next } of rows) expect(next).toBe(times.find((time) => time > at))
  })

  test('comes at the same times whatever the settings of the session', async ({
    connect,
    engine,
  }) => {
    const client = await connect()
    await client.query(
      `set timezone = 'America/New_York'; set datestyle = 'German'; set intervalstyle = 'iso_8601'`,
    )
    const clocks = await readClocks(engine, ['Europe/Berlin'], '2026-01-01Z', '2027-01-01Z')

    for (const plan of [hourly, nightly, dense]) {
      const { found, wrong } = await differences(engine.on(client), clocks, plan, 30 * days)
      expect(wrong).toEqual([])
      expect(found).toBeGreaterThan(100)
    }
  })

  test.for([
    [
      '30 * 1 11 *',
      'America/Havana',
      '2026-01-01Z',
      ['2026-11-01 04:30', '2026-11-01 05:30', '2026-11-01 06:30'],
    ],
    [
      '0 * 24 10 *',
      'Asia/Beirut',
      '2026-10-24 19:30Z',
      ['2026-10-24 20:00', '2026-10-24 21:00', '2027-10-23 21:00'],
    ],
  ] as const)(
    'misses no pass of a doubled hour, however rarely it comes: %s in %s',
    async ([cron, zone, after, times], { engine }) => {
      const rows = await engine.rows<{ at: string }>(
        `with recursive times (at, place) as (
           select next_cron(parse_cron($1), $2, $3), 1
           union all
           select next_cron(parse_cron($1), $2, at), place + 1 from times where place < 3
         )
         select to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as at from times order by place`,
        cron,
        zone,
        after,
      )

      expect(rows.map(({ at }) => at)).toEqual(times)
    },
  )
})
