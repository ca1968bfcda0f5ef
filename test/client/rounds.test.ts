import { describe, expect } from 'vitest'
import type { Queryable } from '../../src/db/queryable.ts'
import { test } from '../support/client.ts'
import { range } from '../support/crowd.ts'

const tasks = 2_500

/** Passes statements on, and counts those that call a verb, with the number of ids in each. */
function counting(db: Queryable, verb: string): { db: Queryable; rounds: number[] } {
  const rounds: number[] = []
  return {
    rounds,
    db: {
      query: (text, values = []) => {
        const [ids] = values
        if (text.includes(`${verb}(`) && Array.isArray(ids)) rounds.push(ids.length)
        return db.query(text, values)
      },
    },
  }
}

describe('calls for many tasks', () => {
  test('cancel and delete in rounds, and join the answers in order', async ({
    engine,
    db,
    tusk,
  }) => {
    const ids = (await engine.enqueueMany(range(tasks).map(() => ({ queue: 'mail' })))).map(
      ({ id }) => id,
    )

    const cancelling = counting(db, 'cancel_many')
    expect(await tusk.tasks.cancelMany(ids, { on: cancelling.db })).toEqual(ids)
    expect(cancelling.rounds).toEqual([1_000, 1_000, 500])
    expect(await tusk.tasks.cancelMany(ids)).toEqual([])

    const deleting = counting(db, 'delete_many')
    expect((await tusk.tasks.deleteMany(ids, { on: deleting.db })).sort()).toEqual([...ids].sort())
    expect(deleting.rounds).toEqual([1_000, 1_000, 500])
    expect(await engine.rows('select from finished')).toEqual([])
  })

  test('complete and release in rounds, each task with its own output', async ({
    engine,
    db,
    tusk,
  }) => {
    await engine.enqueueMany(range(2 * tasks).map(() => ({ queue: 'mail' })))
    const first = await engine.claim('mail', { limit: tasks })
    const second = await engine.claim('mail', { limit: tasks })

    const completing = counting(db, 'complete_many')
    const outputs = first.map(({ id }) => `output of ${id}`)
    const done = await tusk.claims.completeMany(first, { on: completing.db, outputs })
    expect(done).toHaveLength(tasks)
    expect(completing.rounds).toEqual([1_000, 1_000, 500])
    const stored = `select count(*)::int from task where output = to_jsonb('output of ' || id)`
    expect(await engine.value(stored)).toBe(tasks)

    const releasing = counting(db, 'release')
    expect(await tusk.claims.release(second, { on: releasing.db })).toHaveLength(tasks)
    expect(releasing.rounds).toEqual([1_000, 1_000, 500])
    expect(await engine.rows('select from claims')).toEqual([])
  })

  test('keep the rounds that were committed before one fails', async ({ engine, db, tusk }) => {
    const ids = (await engine.enqueueMany(range(tasks).map(() => ({ queue: 'mail' })))).map(
      ({ id }) => id,
    )

    const bad = [...ids.slice(0, 1_500), 'no id', ...ids.slice(1_500)]
    await expect(tusk.tasks.cancelMany(bad, { on: db })).rejects.toMatchObject({
      code: 'invalid_argument',
    })

    expect(await engine.value('select coalesce(sum(size), 0)::int from finished')).toBe(1_000)
    expect(await tusk.tasks.cancelMany(ids)).toEqual(ids.slice(1_000))
  })
})
