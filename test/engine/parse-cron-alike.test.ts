import { expect } from 'vitest'
import type { Cron } from '../../src/lib/schedule-words/cron.ts'
import { parseCron } from '../../src/lib/schedule-words/parse-cron.ts'
import { test } from '../support/engine.ts'
import { Dice } from '../support/model.ts'
import { randomCron } from '../support/random-cron.ts'

/** The parts of parse_cron()'s answer, in order, and the number that the first bit of each stands for. */
const parts: readonly (readonly [name: keyof Cron, first: number])[] = [
  ['seconds', 0],
  ['minutes', 0],
  ['hours', 0],
  ['dates', 1],
  ['months', 1],
  ['weekdays', 0],
  ['beforeLast', 0],
  ['nearest', 1],
  ['nth', 0],
]

const written = [
  ...['@yearly', '@Annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'],
  ...[
    ' 5   4 * * * ',
    '0 0 ? * fri',
    '0 0 1-31 * MON',
    '0 0 5 * 0-6',
    '0 0 5,* * FRI#2',
    '0 0 */1 * 1',
  ],
  ...['0 0 * NOV-FEB FRI-MON', '0 0 * * 7', '0 0 * * 5-7', '0 0 * * 7-2', '0 0 * 11-3/2 *'],
  ...['5/20 * * * *', '10-40/10 * * * *', '0 0 L,L-30,WL,31W * *', '0 0 * * 5L,FRI#L,7#1,SUN#5'],
]

test('TypeScript reads cron expressions as Postgres does', async ({ engine }) => {
  const dice = new Dice(4_711)
  const random = Array.from({ length: 300 }, () => randomCron(dice, { fromEnd: true }))
  const rows = await engine.rows<{ cron: string; bits: string }>(
    'select cron, parse_cron(cron)::text as bits from unnest($1::text[]) as cron',
    [...written, ...random],
  )

  expect(rows).toHaveLength(written.length + random.length)
  for (const { cron, bits } of rows) expect(parseCron(cron), cron).toEqual(listsIn(bits))
})

test.for([
  ...['61 * * * *', '* * * *', '*-5 * * * *', '0 22-2 * * *', '*/90 * * * *', '0 0 L-31 * *', ','],
  ...['0 0 * * FRI#6', '0 0 * * MONDAY', '0 0 * * L', '0 0 32W * *', '0 0 1,, * *', '@reboot'],
  ...['0 0 * 13 *', '0 0 * 0 *', '0 0 * * 8', 'MON * * * *', '0 0 LW-1 * *', '0 0 * * FRI#2#3'],
])('neither reads %j', async (cron, { engine }) => {
  await expect(engine.value('select parse_cron($1)', cron)).rejects.toMatchObject({
    code: 'invalid_argument',
  })
  expect(parseCron(cron)).toBeUndefined()
})

/** `{0100,…}` as the numbers of the bits that are set. */
function listsIn(bits: string): Cron {
  const fields = bits.slice(1, -1).split(',')
  const lists = parts.map(([name, first], index) => [
    name,
    [...(fields[index] ?? '')].flatMap((bit, place) => (bit === '1' ? [place + first] : [])),
  ])
  return Object.fromEntries(lists)
}
