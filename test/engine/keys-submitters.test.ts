import { describe, expect } from 'vitest'
import { testRoles } from '../support/engine.ts'
import { test as base, makeRole } from '../support/roles.ts'

const shop = `${testRoles}_shop`
const thief = `${testRoles}_thief`
const team = `${testRoles}_team`

const test = base.extend<{ roles: undefined }>({
  roles: [
    async ({ db }, use) => {
      await makeRole(db, team, 'producer')
      await makeRole(db, thief, 'producer')
      await makeRole(db, shop, 'producer', team)
      await use(undefined)
    },
    { auto: true },
  ],
})

describe('a producer that replaces by key', () => {
  test.for(['replace', 'debounce'] as const)(
    'is refused to %s a task of another producer',
    async (onDuplicate, { engine, as }) => {
      const mine = { queue: 'mail', key: 'k', payload: 1 }
      const { id } = await (await as(shop)).enqueue(mine)

      const stolen = { ...mine, payload: 2, onDuplicate, window: '1 hour' }
      await expect((await as(thief)).enqueue(stolen)).rejects.toMatchObject({
        code: 'not_permitted',
        message: `key k of queue mail is held by task ${id}, which ${shop} submitted`,
        hint: expect.stringContaining(`Role ${thief} may not replace`),
      })

      expect(await engine.task(id)).toMatchObject({ payload: 1, submitted_by: shop })
    },
  )

  test('is refused a bulk in which one task would replace another producer’s', async ({
    engine,
    as,
  }) => {
    const { id } = await (await as(shop)).enqueue({ queue: 'mail', key: 'k', payload: 1 })

    await expect(
      (await as(thief)).enqueueMany([
        { queue: 'mail', key: 'other' },
        { queue: 'mail', key: 'k', payload: 2, onDuplicate: 'replace' },
      ]),
    ).rejects.toMatchObject({ code: 'not_permitted' })

    expect(await engine.rows('select id from tasks')).toEqual([{ id }])
    expect(await engine.task(id)).toMatchObject({ payload: 1 })
  })

  test('hears of the task that is there when it only keeps it', async ({ as }) => {
    const { id } = await (await as(shop)).enqueue({ queue: 'mail', key: 'k' })

    expect(await (await as(thief)).enqueue({ queue: 'mail', key: 'k' })).toEqual({
      id,
      outcome: 'kept',
    })
  })

  test('may replace its own, and what its team submitted', async ({ as }) => {
    const again = { queue: 'mail', key: 'k', onDuplicate: 'replace' } as const
    await (await as(team)).enqueue(again)
    expect(await (await as(shop)).enqueue(again)).toMatchObject({ outcome: 'replaced' })

    await (await as(shop)).enqueue({ ...again, key: 'own' })
    expect(await (await as(shop)).enqueue({ ...again, key: 'own' })).toMatchObject({
      outcome: 'replaced',
    })
  })

  test('may replace any task as an operator, who may amend it as well', async ({ engine, as }) => {
    const again = { queue: 'mail', key: 'k', onDuplicate: 'replace' } as const
    const { id } = await (await as(shop)).enqueue(again)

    const operator = await as(`${testRoles}_operator`)
    expect(await operator.enqueue({ ...again, payload: 2 })).toEqual({ id, outcome: 'replaced' })
    expect(await engine.task(id)).toMatchObject({ payload: 2 })
  })

  test('is refused a task of a role that was dropped, without an internal error', async ({
    engine,
    db,
    as,
  }) => {
    const { id } = await (await as(shop)).enqueue({ queue: 'mail', key: 'k' })
    await db.query(`update tasks set submitted_by = 'gone "for" good'`)

    await expect(
      (await as(thief)).enqueue({ queue: 'mail', key: 'k', onDuplicate: 'replace' }),
    ).rejects.toMatchObject({ code: 'not_permitted' })
    expect(await engine.task(id)).toMatchObject({ payload: {} })
  })
})
