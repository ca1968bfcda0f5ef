import { describe, expect, test } from 'vitest'
import type { Cron } from '../../../src/lib/schedule-words/cron.ts'
import { describeCron } from '../../../src/lib/schedule-words/describe-cron.ts'
import {
  describeSchedule,
  type SchedulePlan,
} from '../../../src/lib/schedule-words/describe-schedule.ts'
import { parseCron } from '../../../src/lib/schedule-words/parse-cron.ts'
import { Dice } from '../../support/model.ts'
import { randomCron } from '../../support/random-cron.ts'

const cronWords = [
  ['30 2 * * *', 'Every day at 02:30'],
  ['*/5 * * * *', 'Every 5 minutes'],
  ['0 9 * * 1-5', 'At 09:00 on weekdays'],
  ['0 0 L * *', 'At 00:00 on the last day of the month'],
  ['@yearly', 'At 00:00 on the 1st of January'],
  ['@monthly', 'At 00:00 on the 1st of the month'],
  ['@weekly', 'At 00:00 on Sundays'],
  ['@hourly', 'Every hour'],
  ['* * * * *', 'Every minute'],
  ['* * * * * *', 'Every second'],
  ['*/10 * * * * *', 'Every 10 seconds'],
  ['15 * * * * *', 'At second 15 of every minute'],
  ['15 */5 * * * *', 'At second 15 of minutes 0 through 55 in steps of 5 of every hour'],
  ['5 * * * *', 'At minute 5 of every hour'],
  ['5,35 * * * *', 'At minutes 5 and 35 of every hour'],
  ['*/7 * * * *', 'At minutes 0 through 56 in steps of 7 of every hour'],
  ['*/15 9-17 * * 1-5', 'Every 15 minutes from 09:00 through 17:59 on weekdays'],
  ['0 9-17 * * *', 'Every hour from 09:00 through 17:00'],
  ['0 */2 * * *', 'Every 2 hours from 00:00 through 22:00'],
  ['0 */6 * * *', 'Every day at 00:00, 06:00, 12:00 and 18:00'],
  ['5 1-23/3 * * *', 'Every 3 hours from 01:05 through 22:05'],
  ['0,30 9,17 1,15 * *', 'At 09:00, 09:30, 17:00 and 17:30 on the 1st and 15th of the month'],
  ['30 15 10 * * *', 'Every day at 10:15:30'],
  ['*/10 0-4 * * * *', 'Every 10 seconds during minutes 0 through 4 of every hour'],
  ['0,30 5 9 * * *', 'Every 30 seconds during minute 5 of hour 9'],
  ['* 9,12 * * *', 'Every minute during hours 9 and 12'],
  ['1 1,2,3 1-3,8 * *', 'At 01:01, 02:01 and 03:01 on the 1st through 3rd and 8th of the month'],
  ['0 0 13 * FRI', 'At 00:00 on the 13th of the month, and on Fridays'],
  [
    '0 0 13 1,7 FRI',
    'At 00:00 on the 13th of January and July, and on Fridays in January and July',
  ],
  ['0 0 */2 * *', 'At 00:00 on every 2nd day from the 1st through the 31st of the month'],
  [
    '0 0 L-1,L-3 * *',
    'At 00:00 on the day before the last and the 3rd day before the last of the month',
  ],
  [
    '0 0 15W,LW * *',
    'At 00:00 on the weekday nearest to the 15th and the last weekday of the month',
  ],
  ['0 0 * * FRI#2,MONL', 'At 00:00 on the second Friday and the last Monday of the month'],
  ['0 0 * 6-8 SAT,SUN', 'At 00:00 on weekends in June through August'],
  ['0 0 * 1,2 *', 'At 00:00 every day in January and February'],
  ['*/5 * * JAN *', 'Every 5 minutes in January'],
  ['0 0 1-31 * MON', 'Every day at 00:00'],
  ['0 0 * * MON,SUN,TUE', 'At 00:00 on Mondays, Tuesdays and Sundays'],
] as const

/** Intervals as Postgres writes them. */
const everyWords = [
  ['00:00:01', 'Every second'],
  ['00:15:00', 'Every 15 minutes'],
  ['01:30:00', 'Every 90 minutes'],
  ['00:01:30', 'Every 90 seconds'],
  ['00:00:01.5', 'Every 1.5 seconds'],
  ['24:00:00', 'Every 24 hours'],
  ['01:01:01', 'Every 1 hour, 1 minute and 1 second'],
  ['1 day', 'Every day at 09:00 (Europe/Berlin)'],
  ['14 days', 'Every 2 weeks, counted from 31 January 2026 at 09:00 (Europe/Berlin)'],
  ['1 mon', 'Every month, counted from 31 January 2026 at 09:00 (Europe/Berlin)'],
  [
    '1 year 1 mon 2 days 03:00:00',
    'Every 1 year, 1 month, 2 days and 3 hours, counted from 31 January 2026 at 09:00 (Europe/Berlin)',
  ],
] as const

const sizes: Readonly<Record<keyof Cron, readonly [low: number, high: number]>> = {
  seconds: [0, 59],
  minutes: [0, 59],
  hours: [0, 23],
  dates: [1, 31],
  months: [1, 12],
  weekdays: [0, 6],
  beforeLast: [0, 30],
  nearest: [1, 32],
  nth: [0, 41],
}

const names = Object.keys(sizes) as (keyof Cron)[]

/** The same expression with one value more or less, in each part where that makes another expression. */
function neighbours(dice: Dice, cron: Cron): Cron[] {
  return names.flatMap((name) => {
    const [low, high] = sizes[name]
    const value = low + Math.floor(dice.next() * (high - low + 1))
    const list = cron[name]
    const changed = list.includes(value)
      ? list.filter((one) => one !== value)
      : [...list, value].sort((a, b) => a - b)
    const other = { ...cron, [name]: changed }
    return isCombined(other) ? [other] : []
  })
}

/** Whether parseCron() may answer so: every field has a value, and days that are all of them have no others beside. */
function isCombined(cron: Cron): boolean {
  const { dates, beforeLast, nearest, weekdays, nth } = cron
  const isFilled = (['seconds', 'minutes', 'hours', 'months'] as const).every(
    (name) => cron[name].length > 0,
  )
  const otherDates = beforeLast.length + nearest.length
  return (
    isFilled &&
    dates.length + otherDates > 0 &&
    weekdays.length + nth.length > 0 &&
    (dates.length < 31 || otherDates === 0) &&
    (weekdays.length < 7 || nth.length === 0)
  )
}

function words(plan: Partial<SchedulePlan>): string {
  const anchor = new Date('2026-01-31T08:00:00Z')
  return describeSchedule({
    cron: null,
    every: null,
    at: null,
    zone: 'UTC',
    drift: 'planned',
    anchor,
    ...plan,
  })
}

describe('describeSchedule', () => {
  test.for(cronWords)('makes an English sentence of the cron expression %s', ([cron, said]) => {
    expect(words({ cron })).toBe(said)
  })

  test('reads small letters and any space', () => {
    expect(words({ cron: ' 0  0\t* * fri#2,monl ' })).toBe(
      'At 00:00 on the second Friday and the last Monday of the month',
    )
  })

  test('names the zone, unless it is UTC', () => {
    expect(words({ cron: '30 2 * * *', zone: 'Europe/Berlin' })).toBe(
      'Every day at 02:30 (Europe/Berlin)',
    )
  })

  test('never says the same of two cron expressions that differ in one place', () => {
    const dice = new Dice(1_611)
    const parsed = Array.from({ length: 200 }, () => parseCron(randomCron(dice, { fromEnd: true })))

    const pairs = parsed.flatMap((cron) =>
      cron === undefined ? [] : neighbours(dice, cron).map((other) => [cron, other] as const),
    )
    const same = pairs.filter(([one, other]) => describeCron(one, '') === describeCron(other, ''))

    expect(pairs.length).toBeGreaterThan(1_000)
    expect(same).toEqual([])
  })

  test.for(everyWords)('makes an English sentence of the interval %s', ([every, said]) => {
    expect(words({ every, zone: 'Europe/Berlin' })).toBe(said)
  })

  test('says of drift finished what the interval counts from', () => {
    expect(words({ every: '01:00:00', drift: 'finished' })).toBe(
      '1 hour after the last run has ended',
    )
  })

  test.for([
    ['2026-12-24T17:00Z', 'Europe/Berlin', 'Once, on 24 December 2026 at 18:00 (Europe/Berlin)'],
    ['2026-05-01T00:00:05Z', 'UTC', 'Once, on 1 May 2026 at 00:00:05'],
    // Postgres knows this zone, JavaScript does not.
    ['2026-05-01T00:00Z', 'Factory', 'Once, on 1 May 2026 at 00:00 (UTC)'],
  ] as const)('tells a single time by the clocks of its zone: %s %s', ([at, zone, said]) => {
    expect(words({ at: new Date(at), zone })).toBe(said)
  })

  test.for([
    ...['', '61 * * * *', '* * * *', '*-5 * * * *', '0 22-2 * * *', '*/90 * * * *', '0 0 L-31 * *'],
    ...['0 0 * * FRI#6', '0 0 * * MONDAY', '0 0 32W * *', '0 0 1,, * *', '@reboot', 'H * * * *'],
    ...['constructor', `${'1,'.repeat(1_000)}1 * * * *`],
  ])('gives back the cron expression %j, which cannot be read', (cron) => {
    expect(words({ cron })).toBe(cron)
  })

  test.for(['PT1H30M', '@ 1 hour 30 mins', '1:30:00:00', '-1 days', ''])(
    'gives back the interval %j, which is not in the style of Postgres',
    (every) => {
      expect(words({ every })).toBe(every)
    },
  )

  test('gives no sentence for a time that a Date cannot hold', () => {
    expect(words({ at: new Date(Number.NaN) })).toBe('')
    expect(words({ every: '2 days', anchor: new Date(Number.NaN) })).toBe('2 days')
  })
})
