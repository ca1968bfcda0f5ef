import { andList } from './lists.ts'

/** An interval as Postgres stores it: three separate counts. */
export interface Interval {
  readonly months: number
  readonly days: number
  readonly microseconds: number
}

const second = 1_000_000
const minute = 60 * second
const hour = 60 * minute

/** Parses what Postgres writes, such as `1 year 2 mons 3 days 04:05:06.7`. Undefined for any other style. */
export function parseInterval(text: string): Interval | undefined {
  const parts =
    /^(?:(\d+) years? ?)?(?:(\d+) mons? ?)?(?:(\d+) days? ?)?(?:(\d+):(\d\d):(\d\d(?:\.\d{1,6})?))?$/.exec(
      text,
    )
  if (parts === null || text === '') return undefined
  const [years = 0, months = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0))
  return {
    months: years * 12 + months,
    days,
    microseconds: hours * hour + minutes * minute + Math.round(seconds * second),
  }
}

/** 1 minute; 90 minutes; 2 months and 3 days. One unit if a small number of it is exact, otherwise each unit. */
export function describeInterval({ months, days, microseconds }: Interval): string {
  const isWeeks = days % 7 === 0
  const counts: readonly (readonly [count: number, unit: string])[] = [
    [Math.floor(months / 12), 'year'],
    [months % 12, 'month'],
    [isWeeks ? days / 7 : 0, 'week'],
    [isWeeks ? 0 : days, 'day'],
    ...clockCounts(microseconds),
  ]
  const named = counts.filter(([count]) => count !== 0)
  return andList(named.map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`))
}

function clockCounts(given: number): (readonly [count: number, unit: string])[] {
  if (given % hour === 0) return [[given / hour, 'hour']]
  if (given < 2 * hour && given % minute === 0) return [[given / minute, 'minute']]
  if (given < 2 * minute) return [[given / second, 'second']]
  return [
    [Math.floor(given / hour), 'hour'],
    [Math.floor((given % hour) / minute), 'minute'],
    [(given % minute) / second, 'second'],
  ]
}
