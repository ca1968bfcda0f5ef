import { type Cron, type CronSets, cronFields } from './cron.ts'
import { addItem } from './cron-item.ts'

const nicknames: Readonly<Record<string, string>> = {
  '@YEARLY': '0 0 1 1 *',
  '@ANNUALLY': '0 0 1 1 *',
  '@MONTHLY': '0 0 1 * *',
  '@WEEKLY': '0 0 * * 0',
  '@DAILY': '0 0 * * *',
  '@MIDNIGHT': '0 0 * * *',
  '@HOURLY': '0 * * * *',
}

const star = /(^|,)[*?](\/1)?(,|$)/

/**
 * Parses a cron expression in order to describe it. Undefined if it is invalid. Postgres decides which expressions are
 * valid and when they fire: this follows parse_cron() in SQL, and is tested against it.
 */
export function parseCron(text: string): Cron | undefined {
  const written = text.trim().replaceAll(/\s+/g, ' ').toUpperCase()
  const given = (nicknames[written] ?? written).split(' ')
  const fields = given.length === 5 ? ['0', ...given] : given
  if (written.length > 1000 || fields.length !== 6) return undefined
  try {
    return parseFields(fields)
  } catch {
    return undefined
  }
}

function parseFields(fields: readonly string[]): Cron {
  const sets: CronSets = {
    seconds: new Set(),
    minutes: new Set(),
    hours: new Set(),
    dates: new Set(),
    months: new Set(),
    weekdays: new Set(),
    beforeLast: new Set(),
    nearest: new Set(),
    nth: new Set(),
  }
  for (const [index, field] of cronFields.entries()) {
    for (const item of (fields[index] ?? '').split(',')) addItem(sets, field, item)
  }
  const [, , , date = '', , weekday = ''] = fields
  combineDays(sets, star.test(date) || star.test(weekday))
  const lists = Object.entries(sets).map(([name, set]) => [name, [...set].sort((a, b) => a - b)])
  return Object.fromEntries(lists) as Cron
}

/**
 * Classic cron: `*` leaves the day to the other field. Otherwise either field matches, so `1-31` with `MON` is every
 * day.
 */
function combineDays(sets: CronSets, isLeftToOther: boolean): void {
  if (!isLeftToOther && (sets.dates.size === 31 || sets.weekdays.size === 7)) {
    for (let date = 1; date <= 31; date += 1) sets.dates.add(date)
    for (let weekday = 0; weekday < 7; weekday += 1) sets.weekdays.add(weekday)
  }
  if (sets.dates.size === 31) {
    sets.beforeLast.clear()
    sets.nearest.clear()
  }
  if (sets.weekdays.size === 7) sets.nth.clear()
}
