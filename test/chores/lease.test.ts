import { describe, expect } from 'vitest'
import { defineChore } from '../../src/chores/chore.ts'
import { range } from '../support/crowd.ts'
import { until } from '../support/until.ts'
import { test } from '../support/worker.ts'

const tasks = { mail: () => {} }
/** Short enough for a test to see leadership change hands. */
const times = { ttlMs: 1_000, renewMs: 100 }

const leaderOf = (chore: string) =>
  `select worker from leader where chore = '${chore}' and strategy = 'lease'`

describe('workers with a lease', () => {
  test('do a chore one at a time, and say who leads (LD-03, LD-28)', async ({
    engine,
    work,
    said,
  }) => {
    const ran: string[] = []
    const chore = defineChore({
      name: 'tidy',
      everyMs: 20,
      run: ({ worker }) => {
        ran.push(worker)
        return { processed: 1 }
      },
    })
    await Promise.all(range(3).map(() => work({ tasks, chores: { chores: [chore], ...times } })))
    await until(async () => ran.length >= 10)

    expect(new Set(ran).size).toBe(1)
    expect(await engine.value(leaderOf('tidy'))).toBe(ran[0])
    expect(said.filter((line) => line.startsWith('leads a chore {"chore":"tidy"'))).toHaveLength(1)
    await until(() => engine.value(`select runs > 10 from chore_stats where chore = 'tidy'`))
    expect(await engine.rows('select * from chore_alert')).toEqual([])
  })

  test('hand a chore over at once when the leader stops', async ({ engine, work }) => {
    const ran: string[] = []
    const chore = defineChore({
      name: 'tidy',
      everyMs: 50,
      run: ({ worker }) => void ran.push(worker),
    })
    // A lease that would take an hour to run out: only the word of the leader can end it.
    const chores = { chores: [chore], ttlMs: 3_600_000, renewMs: 1_000 }
    const first = await work({ tasks, chores })
    await until(async () => ran.length > 0)
    const second = await work({ tasks, chores })
    await until(() => engine.value(`select count(*) = 2 from workers where 'tidy' = any (chores)`))

    await first.stop()
    await until(async () => ran.at(-1) === second.id)

    expect(
      await engine.rows(`select term, how from terms where chore = 'tidy' order by 1`),
    ).toEqual([
      { term: '1', how: 'shutdown' },
      { term: '2', how: null },
    ])
  })
})
