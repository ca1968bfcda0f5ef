import { Cron } from 'croner'
import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'
import { Dice } from '../support/model.ts'
import { randomCron } from '../support/random-cron.ts'
import type { TestEngine } from '../support/test-engine.ts'

const start = '2026-11-16T01:23:45Z'

/** The next so many times of each expression in UTC, as ISO text; none when it never comes. */
async function ours(engine: TestEngine, crons: readonly string[], count: number) {
  const rows = await engine.rows<{ times: string[] }>(
    `select array(
       with recursive times (at, place) as (
         select next_cron(bits, 'UTC', $2), 1
         union all
         select next_cron(bits, 'UTC', at), place + 1 from times where place < $3 and at is not null
       )
       select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SSZ') from times order by place
     ) as times
     from unnest($1::text[]) with ordinality as given (cron, place),
       lateral (select parse_cron(cron) as bits offset 0) as parsed
     order by given.place`,
    crons,
    start,
    count,
  )
  return rows.map(({ times }) => times)
}

function theirs(cron: string, count: number): string[] {
  const runs = new Cron(cron, { timezone: 'UTC', paused: true }).nextRuns(count, start)
  return runs.map((run) => run.toISOString().replace('.000', ''))
}

describe('cron beside another library', () => {
  test('comes at the same times, where no clocks change', async ({ engine }) => {
    const dice = new Dice(20_261_116)
    // The other library reads SUN after a dash as 7, and so 0-SUN as the whole week.
    const crons = Array.from({ length: 400 }, () => randomCron(dice)).filter(
      (cron) => !cron.includes('-SUN') && theirs(cron, 1).length > 0,
    )

    const answers = await ours(engine, crons, 8)

    expect(crons.length).toBeGreaterThan(350)
    expect(answers).toEqual(crons.map((cron) => theirs(cron, 8)))
  })

  test.for(['0 0 31 2 *', '0 0 30,31 FEB *', '0 0 31 4,6,9,11 *'])(
    'is refused where the other never comes: %s',
    async (cron, { engine }) => {
      expect(theirs(cron, 1)).toEqual([])

      await expect(ours(engine, [cron], 1)).rejects.toMatchObject({
        code: 'invalid_argument',
        message: `cron "${cron}" never comes: none of its months has such a day`,
      })
    },
  )

  test('takes a range from Sunday to Sunday as that day, where the other takes the week', async ({
    engine,
  }) => {
    expect(await ours(engine, ['0 0 * * 0-SUN'], 2)).toEqual([
      ['2026-11-22T00:00:00Z', '2026-11-29T00:00:00Z'],
    ])
    expect(theirs('0 0 * * 0-SUN', 2)).toEqual(['2026-11-17T00:00:00Z', '2026-11-18T00:00:00Z'])
  })
})
