import { describe, expect } from 'vitest'
import { faultsIn } from '../support/books.ts'
import { member, range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'

describe('rescue in rounds', () => {
  test('takes no more tasks than its limit, however many a claim holds', async ({ engine }) => {
    await engine.enqueueMany(range(250).map(() => ({ queue: 'mail' })))
    await engine.claim('mail', { limit: 250 })
    await engine.pass('1 hour')

    const rounds = []
    for (const _ of range(4)) rounds.push((await engine.rows('select id from rescue(100)')).length)

    expect(rounds).toEqual([100, 100, 50, 0])
    expect(await engine.rows('select from claims')).toEqual([])
    expect(await faultsIn(engine)).toEqual([])
  })

  test('makes progress with a claim that is too large for one statement', {
    timeout: 300_000,
  }, async ({ engine, connect }) => {
    const tasks = 20_000
    await engine.rows(
      `insert into tasks (created_at, run_at, queue, handler, submitted_by, payload)
       select now(), now(), 'mail', 'mail', 'test', '1' from generate_series(1, $1)`,
      tasks,
    )
    await engine.rows(`insert into lanes values ('mail', 0)`)
    await engine.claim('mail', { limit: tasks })
    await engine.pass('1 hour')
    const all = await member(engine, connect)
    const some = await member(engine, connect)

    // All at once takes longer than the statement may; a round of the chore does not.
    await all.rows(`set statement_timeout = '20ms'`)
    await expect(all.rows('select from rescue($1)', tasks)).rejects.toThrow('statement timeout')
    // Postgres tells of an error before it lets go of its locks: only when it answers again are they free.
    await all.rows('reset statement_timeout')
    let left = tasks
    while (left > 0) {
      const [round] = await some.rows<{ processed: number; next_in_ms: number | null }>(
        `select processed::int, next_in_ms from run_chore('rescue')`,
      )
      expect(round?.processed).toBe(Math.min(left, 1_000))
      expect(round?.next_in_ms).toBe(left >= 1_000 ? 0 : null)
      left -= round?.processed ?? 0
      // A round does not begin with all that the rounds before it have ended.
      const named = await some.value<number>(
        'select coalesce(max(cardinality(tasks)), 0) from claims',
      )
      expect(named).toBeLessThanOrEqual(Math.max(5_000, 1.2 * left + 1_000))
    }

    expect(
      await engine.value('select coalesce(sum(size), 0)::int from tasks where claim is null'),
    ).toBe(tasks)
    expect(await engine.rows('select from claims')).toEqual([])
  })

  test('reaches the tasks of a claim behind those of a group that is held', async ({
    engine,
    connect,
  }) => {
    await engine.enqueueMany([
      ...range(30).map(() => ({ queue: 'mail', groups: ['g'], priority: 1 })),
      ...range(10).map(() => ({ queue: 'mail' })),
    ])
    await engine.claim('mail', { limit: 40 })
    await engine.pass('1 hour')
    const operator = await member(engine, connect)
    await operator.rows('begin')
    await operator.rows(`select pause_group('g')`)

    expect(await engine.rows('select id from rescue(20)')).toHaveLength(10)
    await operator.rows('commit')
    expect(await engine.rows('select id from rescue(50)')).toHaveLength(30)
    expect(await faultsIn(engine)).toEqual([])
  })
})
