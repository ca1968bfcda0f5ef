import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

/** The next times of an interval that began at an anchor, in UTC. */
async function times(
  engine: TestEngine,
  {
    every,
    zone = 'UTC',
    anchor,
    after = anchor,
  }: Record<string, string> & { every: string; anchor: string },
  count = 1,
): Promise<string[]> {
  const rows = await engine.rows<{ at: string }>(
    `with recursive times (at, place) as (
       select next_every($1, $2, $3, $4), 1
       union all
       select next_every($1, $2, $3, at), place + 1 from times where place < $5
     )
     select to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') as at from times order by place`,
    every,
    zone,
    anchor,
    after,
    count,
  )
  return rows.map(({ at }) => at.replace('.000000', '').replace(/:00$/, ''))
}

describe('an interval', () => {
  test('begins at its anchor', async ({ engine }) => {
    const hourly = { every: '1 hour', anchor: '2026-11-16 01:30Z' }

    expect(await times(engine, { ...hourly, after: '2026-11-01Z' }, 2)).toEqual([
      '2026-11-16 01:30',
      '2026-11-16 02:30',
    ])
  })

  test('is found at once, however long it is overdue', async ({ engine }) => {
    const anchor = '1970-01-01Z'

    expect(
      await times(engine, { every: '1 second', anchor, after: '2026-11-16 01:30:00.25Z' }),
    ).toEqual(['2026-11-16 01:30:01'])
    expect(await times(engine, { every: '1 day', anchor, after: '2026-11-16 01:30Z' })).toEqual([
      '2026-11-17 00:00',
    ])
  })

  test('keeps to its grid to the microsecond, after decades', async ({ engine }) => {
    const odd = { every: '7.000001 seconds', anchor: '1990-01-01 00:00:00.000003Z' }

    const [next] = await times(engine, { ...odd, after: '2026-11-16Z' }, 1)

    expect(
      await engine.value(
        `select mod(extract(epoch from ($1 || 'Z')::timestamptz - $2::timestamptz), 7.000001) = 0
           and ($1 || 'Z')::timestamptz - '2026-11-16Z' between '1 microsecond' and '7.000001 seconds'`,
        next,
        odd.anchor,
      ),
    ).toBe(true)
  })

  test('of hours is real time, whatever the clocks do', async ({ engine }) => {
    const hours = { every: '24 hours', zone: 'Europe/Berlin', anchor: '2026-03-28 01:30Z' }

    expect(await times(engine, hours, 2)).toEqual(['2026-03-29 01:30', '2026-03-30 01:30'])
  })

  test('of days keeps the time of day, and comes at the end of a gap', async ({ engine }) => {
    const days = { every: '1 day', zone: 'Europe/Berlin', anchor: '2026-03-27 01:30Z' }

    expect(await times(engine, days, 3)).toEqual([
      '2026-03-28 01:30',
      '2026-03-29 01:00',
      '2026-03-30 00:30',
    ])
  })

  test('of days comes once on the day that has an hour twice', async ({ engine }) => {
    const days = { every: '1 day', zone: 'Europe/Berlin', anchor: '2026-10-24 00:30Z' }

    expect(await times(engine, days, 2)).toEqual(['2026-10-25 00:30', '2026-10-26 01:30'])
  })

  test('of days comes once when a gap moves one time onto the next', async ({ engine }) => {
    const days = { every: '1 day', zone: 'Pacific/Apia', anchor: '2011-12-28 10:00Z' }

    expect(await times(engine, days, 3)).toEqual([
      '2011-12-29 10:00',
      '2011-12-30 10:00',
      '2011-12-31 10:00',
    ])
  })

  test('of months counts from its anchor, so that the 31st comes back', async ({ engine }) => {
    const months = { every: '1 month', anchor: '2026-01-31 09:00Z' }

    expect(await times(engine, months, 4)).toEqual([
      '2026-02-28 09:00',
      '2026-03-31 09:00',
      '2026-04-30 09:00',
      '2026-05-31 09:00',
    ])
    expect(await times(engine, { ...months, after: '2076-02-01Z' })).toEqual(['2076-02-29 09:00'])
  })

  test.for([
    [
      '1 year',
      '2024-02-29 00:00Z',
      ['2025-02-28 00:00', '2026-02-28 00:00', '2027-02-28 00:00', '2028-02-29 00:00'],
    ],
    [
      '1 month 1 day',
      '2026-01-30 00:00Z',
      ['2026-03-01 00:00', '2026-04-01 00:00', '2026-05-03 00:00'],
    ],
    ['2 weeks', '2026-01-01 00:00Z', ['2026-01-15 00:00', '2026-01-29 00:00']],
  ] as const)('of %s steps through the calendar', async ([every, anchor, next], { engine }) => {
    expect(await times(engine, { every, anchor }, next.length)).toEqual(next)
  })

  test('answers the same whatever the time zone of the session', async ({ connect, engine }) => {
    const client = await connect()
    await client.query(`set timezone = 'America/New_York'`)
    const abroad = engine.on(client)

    const hours = { every: '5 hours', zone: 'Europe/Berlin', anchor: '2026-03-07 00:00Z' }
    const days = { every: '1 day', zone: 'Europe/Berlin', anchor: '2026-03-07 06:30Z' }

    expect(await times(abroad, hours, 12)).toEqual(await times(engine, hours, 12))
    expect(await times(abroad, days, 5)).toEqual(await times(engine, days, 5))
  })

  test.for([
    [null, 'every must not be null'],
    ['0', 'every 00:00:00 is shorter than 1 second'],
    ['0.5 seconds', 'every 00:00:00.5 is shorter than 1 second'],
    ['-1 hour', 'every -01:00:00 has a negative part'],
    ['1 month -1 day', 'every 1 mon -1 days has a negative part'],
    ['101 years', 'every 101 years is longer than 100 years'],
  ])('cannot be %s', async ([every, message], { engine }) => {
    await expect(engine.value('select check_every($1)', every)).rejects.toMatchObject({
      code: 'invalid_argument',
      message,
      hint: expect.stringMatching(/\.$/),
    })
  })
})
