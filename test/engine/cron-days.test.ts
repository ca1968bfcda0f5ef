import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

/** A day of a month, and what weekday it is. */
interface Day {
  readonly date: number
  readonly weekday: number
}

function daysOf(year: number, month: number): Day[] {
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return Array.from({ length }, (_, index) => ({
    date: index + 1,
    weekday: new Date(Date.UTC(year, month - 1, index + 1)).getUTCDay(),
  }))
}

const isWorkday = ({ weekday }: Day) => weekday >= 1 && weekday <= 5
const lastOf = (days: readonly Day[]) => days.slice(-1)

/** How a person finds the day that an item means, in the list of the month's days. */
type Finding = (days: readonly Day[]) => readonly Day[]

const fromEnd = Array.from({ length: 31 }, (_, back): [string, Finding] => [
  `L-${back} * *`,
  (days) => days.filter(({ date }) => date === days.length - back),
])
const nearest = Array.from({ length: 31 }, (_, index): [string, Finding] => [
  `${index + 1}W * *`,
  (days) =>
    days.length <= index
      ? []
      : days
          .filter(isWorkday)
          .sort((a, b) => Math.abs(a.date - index - 1) - Math.abs(b.date - index - 1))
          .slice(0, 1),
])
const nth = Array.from({ length: 35 }, (_, index): [string, Finding] => {
  const [weekday, place] = [index % 7, Math.floor(index / 7)]
  return [
    `* * ${weekday}#${place + 1}`,
    (days) => days.filter((day) => day.weekday === weekday).slice(place, place + 1),
  ]
})
const lasts = Array.from({ length: 7 }, (_, weekday): [string, Finding] => [
  `* * ${weekday}L`,
  (days) => lastOf(days.filter((day) => day.weekday === weekday)),
])
const both: [string, Finding][] = [
  ['L * *', lastOf],
  ['LW * *', (days) => lastOf(days.filter(isWorkday))],
  ['* * *', (days) => days],
  ['13 * 5', (days) => days.filter(({ date, weekday }) => date === 13 || weekday === 5)],
  ['*/2 * MON', (days) => days.filter(({ date, weekday }) => date % 2 === 1 || weekday === 1)],
  ['1-31 * MON', (days) => days],
  ['13 * 0-6', (days) => days],
  ['13 * ?', (days) => days.filter(({ date }) => date === 13)],
  ['? * MON-FRI', (days) => days.filter(isWorkday)],
  [
    'L,1 * TUE#1',
    (days) =>
      days.filter(
        (day, index) =>
          day.date === 1 || day.date === days.length || (day.weekday === 2 && index < 7),
      ),
  ],
]

describe('cron', () => {
  test('finds the days that L, W and # mean, in every month of eight years', async ({ engine }) => {
    const findings = [...fromEnd, ...nearest, ...nth, ...lasts, ...both]
    const months = Array.from({ length: 96 }, (_, index) => ({
      year: 2024 + Math.floor(index / 12),
      month: 1 + (index % 12),
    }))

    const rows = await engine.rows<{ days: string; found: number[] }>(
      `select days, array(
         select date from cron_days(bits, month::date) as found, generate_series(1, length(found)) as date
         where get_bit(found, date - 1) = 1
         order by date
       ) as found
       from unnest($1::text[]) with ordinality as given (days, place),
         lateral (select parse_cron('0 0 ' || days) as bits offset 0) as parsed,
         generate_series(timestamp '2024-01-01', '2031-12-01', '1 month') as month
       order by place, month`,
      findings.map(([days]) => days),
    )

    const seen = findings.flatMap(([days, find]) =>
      months.map(({ year, month }) => ({
        days,
        found: find(daysOf(year, month))
          .map(({ date }) => date)
          .sort((a, b) => a - b),
      })),
    )
    expect(rows).toEqual(seen)
  })

  test.for([
    ['0 0 29 2 *', '2026-11-16', '2028-02-29'],
    ['0 0 29 2 *', '2096-03-01', '2104-02-29'],
    ['0 0 * 2 MON#5', '2072-03-01', '2112-02-29'],
    ['0 0 29W 2 *', '2026-11-16', '2028-02-29'],
    ['0 0 L-28 2 *', '2026-11-16', '2028-02-01'],
  ] as const)(
    'waits for as long as it takes: %s after %s',
    async ([cron, after, next], { engine }) => {
      expect(
        await engine.value(
          `select to_char(next_cron(parse_cron($1), 'UTC', $2::timestamp at time zone 'UTC') at time zone 'UTC', 'YYYY-MM-DD')`,
          cron,
          after,
        ),
      ).toBe(next)
    },
  )

  test('answers for no time after the last one', async ({ engine }) => {
    expect(
      await engine.value(`select next_cron(parse_cron('0 0 * * *'), 'UTC', 'infinity')`),
    ).toBeNull()
  })
})
