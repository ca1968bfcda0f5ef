import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'
import { Dice } from '../support/model.ts'
import { randomCron } from '../support/random-cron.ts'
import type { TestEngine } from '../support/test-engine.ts'

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

const everyWords = [
  ['1 second', 'Every second'],
  ['15 minutes', 'Every 15 minutes'],
  ['90 minutes', 'Every 90 minutes'],
  ['90 seconds', 'Every 90 seconds'],
  ['1.5 seconds', 'Every 1.5 seconds'],
  ['24 hours', 'Every 24 hours'],
  ['3661 seconds', 'Every 1 hour, 1 minute and 1 second'],
  ['1 day', 'Every day at 09:00 (Europe/Berlin)'],
  ['14 days', 'Every 2 weeks, counted from 31 January 2026 at 09:00 (Europe/Berlin)'],
  ['1 month', 'Every month, counted from 31 January 2026 at 09:00 (Europe/Berlin)'],
  [
    '1 year 1 month 2 days 3 hours',
    'Every 1 year, 1 month, 2 days and 3 hours, counted from 31 January 2026 at 09:00 (Europe/Berlin)',
  ],
] as const

/** What random expressions are read as; some never come, such as 31 September, and are left out. */
async function readable(engine: TestEngine, dice: Dice, count: number): Promise<string[]> {
  const reading = await Promise.allSettled(
    Array.from({ length: count }, () =>
      engine.value<string>('select parse_cron($1)::text', randomCron(dice, { fromEnd: true })),
    ),
  )
  return reading.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
}

/** The same bits with one changed, in each part where that makes another expression. */
function neighbours(dice: Dice, literal: string): string[] {
  const parts = literal.slice(1, -1).split(',')
  return parts.flatMap((part, index) => {
    const place = Math.floor(dice.next() * part.length)
    const flipped = part.slice(0, place) + (part[place] === '1' ? '0' : '1') + part.slice(place + 1)
    const changed = parts.with(index, flipped)
    return isSettled(changed) ? [`{${changed.join(',')}}`] : []
  })
}

/** Whether parse_cron() may answer so: every part has a bit, and days that are all of them have no others beside. */
function isSettled(parts: readonly string[]): boolean {
  const [second, minute, hour, date, month, weekday, fromEnd, nearest, nth] = parts
  const isEmpty = (...bits: (string | undefined)[]) => !bits.join('').includes('1')
  const isFull = (bits?: string) => !bits?.includes('0')
  return (
    ![second, minute, hour, month].some((part) => isEmpty(part)) &&
    !isEmpty(date, fromEnd, nearest) &&
    !isEmpty(weekday, nth) &&
    (!isFull(date) || isEmpty(fromEnd, nearest)) &&
    (!isFull(weekday) || isEmpty(nth))
  )
}

describe('in words', () => {
  test('a cron expression is an English sentence', async ({ engine }) => {
    const rows = await engine.rows<{ cron: string; words: string }>(
      `select cron, cron_in_words(parse_cron(cron), 'UTC') as words from unnest($1::text[]) as cron`,
      cronWords.map(([cron]) => cron),
    )

    expect(rows.map(({ cron, words }) => [cron, words])).toEqual(cronWords)
  })

  test('names the zone, unless it is UTC', async ({ engine }) => {
    expect(
      await engine.value(`select cron_in_words(parse_cron('30 2 * * *'), 'Europe/Berlin')`),
    ).toBe('Every day at 02:30 (Europe/Berlin)')
  })

  test('never says the same of two expressions that differ in one place', async ({ engine }) => {
    const dice = new Dice(1_611)
    const parsed = await readable(engine, dice, 200)

    const pairs = parsed.flatMap((bits) => neighbours(dice, bits).map((other) => [bits, other]))
    const same = await engine.rows(
      `select one, other, cron_in_words(one::varbit[], 'UTC') as words
       from unnest($1::text[], $2::text[]) as pairs (one, other)
       where cron_in_words(one::varbit[], 'UTC') is not distinct from cron_in_words(other::varbit[], 'UTC')`,
      pairs.map(([one]) => one),
      pairs.map(([, other]) => other),
    )

    expect(pairs.length).toBeGreaterThan(1_000)
    expect(same).toEqual([])
  })

  test('an interval with days names the time it counts from', async ({ engine }) => {
    const rows = await engine.rows<{ every: string; words: string }>(
      `select every, every_in_words(every::interval, 'Europe/Berlin', '2026-01-31 08:00Z') as words
       from unnest($1::text[]) as every`,
      everyWords.map(([every]) => every),
    )

    expect(rows.map(({ every, words }) => [every, words])).toEqual(everyWords)
  })

  test.for([
    ['2026-12-24 17:00Z', 'Europe/Berlin', 'Once, on 24 December 2026 at 18:00 (Europe/Berlin)'],
    ['2026-05-01 00:00:05Z', 'UTC', 'Once, on 1 May 2026 at 00:00:05'],
  ])('a single time is told by the clocks of its zone', async ([at, zone, words], { engine }) => {
    expect(await engine.value('select at_in_words($1, $2)', at, zone)).toBe(words)
  })
})
