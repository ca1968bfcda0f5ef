import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

const sameMeaning = [
  ['30 2 * * *', '0 30 2 * * *'],
  ['  30\t2 *  *\n* ', '30 2 * * *'],
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 JAN *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * SUN'],
  ['@Daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
  ['*/15 * * * *', '0,15,30,45 * * * *'],
  ['5/20 * * * *', '5,25,45 * * * *'],
  ['10-20/5 * * * *', '10,15,20 * * * *'],
  ['0 0 1 jan-MAR *', '0 0 1 1,2,3 *'],
  ['0 0 1 NOV-FEB *', '0 0 1 11,12,1,2 *'],
  ['0 0 * * FRI-MON', '0 0 * * 5,6,0,1'],
  ['0 0 * * 5-7', '0 0 * * FRI,SAT,SUN'],
  ['0 0 * * 7', '0 0 * * 0'],
  ['0 0 * * 7-2', '0 0 * * SUN,MON,TUE'],
  ['0 0 * * 0-7', '0 0 * * *'],
  ['0 0 * * SAT-SUN', '0 0 * * 0,6'],
  ['0 0 * * 1-7/2', '0 0 * * 0,1,3,5'],
  ['0 0 ? * ?', '0 0 * * *'],
  ['0 0 L-0 * *', '0 0 L * *'],
  ['0 0 WL * *', '0 0 LW * *'],
  ['0 0 * * FRIL', '0 0 * * 5#L'],
  ['0 0 * * 5L', '0 0 * * FRI#L'],
  ['0 0 * * 7#2', '0 0 * * sun#2'],
  ['0 0 1-31 * MON', '0 0 * * *'],
  ['0 0 *,L * *', '0 0 * * *'],
  ['0 0 */1 * MON', '0 0 * * MON'],
] as const

const faults = [
  ['0 25 * * *', 'hour 25 is out of 0–23', '9-17'],
  ['60 * * * *', 'minute 60 is out of 0–59', '0–59'],
  ['60 * * * * *', 'second 60 is out of 0–59', '0–59'],
  ['0 0 0 * *', 'day 0 is out of 1–31', 'L is the last day'],
  ['0 0 32 * *', 'day 32 is out of 1–31', '1–31'],
  ['0 0 1 13 *', 'month 13 is out of 1–12', 'JAN–DEC'],
  ['0 0 1 0 *', 'month 0 is out of 1–12', 'JAN–DEC'],
  ['0 0 * * 8', 'weekday 8 is out of 0–7', '0 and 7 are Sunday'],
  ['99999999999999999999 * * * *', 'minute 99999999999999999999 is out of 0–59', '0–59'],
  ['0 0 1 FOO *', 'month cannot be FOO', 'JAN–DEC'],
  ['0 0 * * MONDAY', 'weekday cannot be MONDAY', 'SUN–SAT'],
  ['0 NOON * * *', 'hour cannot be NOON', '0–23'],
  ['-5 * * * *', 'minute cannot be -5', '0–59'],
  ['1.5 * * * *', 'minute cannot be 1.5', '0–59'],
  ['1,,2 * * * *', 'minute has an empty place in its list', '0,30'],
  ['1, * * * *', 'minute has an empty place in its list', '0,30'],
  ['*/0 * * * *', 'minute step 0 is out of 1–59', 'use every'],
  ['*/90 * * * *', 'minute step 90 is out of 1–59', 'use every'],
  ['0 */24 * * *', 'hour step 24 is out of 1–23', '*/6'],
  ['30-10 * * * *', 'minute range 30-10 runs backwards', '10-20'],
  ['0 22-2 * * *', 'hour range 22-2 runs backwards', '22-23,0-2'],
  ['0 0 25-5 * *', 'day range 25-5 runs backwards', '1–31'],
  ['*-5 * * * *', 'minute cannot be *-5', '0–59'],
  ['1-2-3 * * * *', 'minute cannot be 1-2-3', '0–59'],
  ['0 0 1-L * *', 'day cannot be L', 'L is the last day'],
  ['0 0 L-31 * *', 'day L-31 is out of L-0 to L-30', 'L-3'],
  ['0 0 0W * *', 'day 0 is out of 1–31', '15W'],
  ['0 0 1-5W * *', 'day cannot be 1-5W', '15W'],
  ['0 0 * * L', 'weekday cannot be L', 'FRIL'],
  ['0 0 * * FRI#6', 'weekday FRI#6 is out of #1 to #5', 'FRI#2'],
  ['0 0 * * FRI#0', 'weekday FRI#0 is out of #1 to #5', 'FRI#2'],
  ['0 0 * * 8L', 'weekday 8 is out of 0–7', 'FRIL'],
  ['0 0 * * XYZ#1', 'weekday cannot be XYZ', 'FRI#2'],
  ['0 L * * *', 'hour cannot be L', '0–23'],
  ['H * * * *', 'minute cannot be H', '0–59'],
  ['٣ * * * *', 'minute cannot be ٣', '0–59'],
] as const

const refusals = [
  ['', 'the cron expression is empty'],
  [' \t', 'the cron expression is empty'],
  [null, 'the cron expression is empty'],
  ['hourly', 'cron "hourly" has 1 field'],
  ['0 2 * *', 'cron "0 2 * *" has 4 fields'],
  ['0 0 2 * * * 2027', 'cron "0 0 2 * * * 2027" has 7 fields'],
  ['@reboot', 'cron "@reboot": unknown nickname'],
  [`${'1,'.repeat(600)}1 * * * *`, 'the cron expression is longer than 1000 characters'],
  ['0 0 31 2 *', 'cron "0 0 31 2 *" never comes: none of its months has such a day'],
  ['0 0 L-30 2,4 *', 'cron "0 0 L-30 2,4 *" never comes: none of its months has such a day'],
  ['0 0 31W 6 *', 'cron "0 0 31W 6 *" never comes: none of its months has such a day'],
] as const

describe('cron', () => {
  test('may be written in many ways', async ({ engine }) => {
    const rows = await engine.rows<{ written: string; meant: string }>(
      `select written, meant from unnest($1::text[], $2::text[]) as pairs (written, meant)
       where parse_cron(written) = parse_cron(meant)`,
      sameMeaning.map(([written]) => written),
      sameMeaning.map(([, meant]) => meant),
    )

    expect(rows.map(({ written, meant }) => [written, meant])).toEqual(sameMeaning)
  })

  test('is refused with the field that is wrong, and with what may stand there', async ({
    engine,
  }) => {
    for (const [cron, fault, hint] of faults) {
      await expect(engine.value('select parse_cron($1)', cron), cron).rejects.toMatchObject({
        code: 'invalid_argument',
        message: `cron "${cron}": ${fault}`,
        hint: expect.stringContaining(hint),
      })
    }
  })

  test('is refused when it is not an expression, or never comes', async ({ engine }) => {
    for (const [cron, message] of refusals) {
      await expect(engine.value('select parse_cron($1)', cron), message).rejects.toMatchObject({
        code: 'invalid_argument',
        message,
        hint: expect.stringMatching(/\.$/),
      })
    }
  })

  test('shows a long expression shortened', async ({ engine }) => {
    await expect(
      engine.value('select parse_cron($1)', `${'1,'.repeat(40)}x * * * *`),
    ).rejects.toMatchObject({
      message: expect.stringMatching(/^cron ".{57}\.\.\.": minute cannot be X$/),
    })
  })
})

describe('a time zone', () => {
  test('is the name of a place, or another that Postgres lists', async ({ engine }) => {
    for (const zone of [
      'UTC',
      'Europe/Berlin',
      'america/argentina/buenos_aires',
      'EST5EDT',
      'Etc/GMT+5',
      'Japan',
      'GMT',
    ]) {
      await expect(engine.value('select check_zone($1)', zone), zone).resolves.toBe('')
    }
  })

  test('is refused when Postgres does not list it, even if it could be read', async ({
    engine,
  }) => {
    for (const zone of [
      'Europe/Berln',
      'Berlin',
      'Foo5',
      'PST',
      '+02:00',
      '',
      'Europe/Berlin; --',
      '../../etc/passwd',
    ]) {
      await expect(engine.value('select check_zone($1)', zone), zone).rejects.toMatchObject({
        code: 'invalid_argument',
        message: `there is no time zone '${zone}'`,
        hint: expect.stringContaining('Europe/Berlin'),
      })
    }
  })

  test('is refused when Postgres reads it as an abbreviation', async ({ engine }) => {
    const fixed = await engine.rows<{ name: string }>(
      `select name from pg_timezone_names
       where upper(name) in (select abbrev from pg_timezone_abbrevs) and name not in ('UTC', 'UCT', 'GMT', 'Zulu')
       order by name`,
    )

    expect(fixed.map(({ name }) => name)).toContain('CET')
    for (const { name } of fixed) {
      await expect(engine.value('select check_zone($1)', name)).rejects.toMatchObject({
        code: 'invalid_argument',
        message: `zone '${name}' is an abbreviation, and does not change to summer time`,
      })
    }
  })
})
