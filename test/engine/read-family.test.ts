import { describe, expect } from 'vitest'
import { durableVerbs } from '../support/durable.ts'
import { test as base, makeRole } from '../support/roles.ts'
import type { TestEngine } from '../support/test-engine.ts'

const reader = 'family_reader'

/** A task that spawned `a` and `b`, which both spawned the same child by its key, which spawned `leaf`. */
const test = base.extend<{ ids: Readonly<Record<'root' | 'a' | 'b' | 'both' | 'leaf', string>> }>({
  ids: async ({ engine }, use) => {
    const { spawn } = durableVerbs(engine)
    const both = { both: { queue: 'secret', key: 'one' } }
    const root = await engine.running({ queue: 'root' })
    await spawn(root, { a: { queue: 'a' }, b: { queue: 'b' } })
    const a = await engine.claimOne('a')
    const b = await engine.claimOne('b')
    await spawn(a, both)
    await spawn(b, both)
    const shared = await engine.claimOne('secret')
    const [leaf = ''] = await spawn(shared, { leaf: { queue: 'a' } })
    await use({ root: root.id, a: a.id, b: b.id, both: shared.id, leaf })
  },
})

async function familyOf(engine: TestEngine, id: string, limit: number = 1000) {
  const rows = await engine.rows<{ id: string; parent: string | null; depth: number }>(
    'select id::text, parent::text, depth from read_family($1, $2)',
    id,
    limit,
  )
  return rows.map(({ id, parent, depth }) => [id, parent, depth])
}

describe('read_family', () => {
  test('shows a child of two parents once, by the nearest way', async ({ engine, ids }) => {
    expect(await familyOf(engine, ids.root)).toEqual([
      [ids.root, null, 0],
      [ids.a, ids.root, 1],
      [ids.b, ids.root, 1],
      [ids.both, ids.a, 2],
      [ids.leaf, ids.both, 3],
    ])
  })

  test('counts such a child once towards its limit', async ({ engine, ids }) => {
    for (const limit of [1, 2, 3, 4, 5]) {
      expect(await familyOf(engine, ids.root, limit)).toHaveLength(limit)
    }
  })

  test('ends where a child leads back to its parent', async ({ engine, ids }) => {
    const back = 'insert into steps (task, name, kind, state, child) values ($1, $2, $3, $4, $5)'
    await engine.rows(back, ids.leaf, 'back', 'child', 'done', ids.root)

    expect(await familyOf(engine, ids.root)).toHaveLength(5)
    expect(await familyOf(engine, ids.both)).toHaveLength(5)
  })

  test('leaves out children in queues that the caller may not operate, with theirs', async ({
    engine,
    db,
    as,
    ids,
  }) => {
    await makeRole(db, reader, 'operator')
    await makeRole(db, 'family_owner', 'operator')
    await engine.rows(`select grant_queue('secret', 'family_owner', '{operate}')`)

    expect(await familyOf(await as(reader), ids.root)).toEqual([
      [ids.root, null, 0],
      [ids.a, ids.root, 1],
      [ids.b, ids.root, 1],
    ])
    expect(await familyOf(await as('family_owner'), ids.root)).toHaveLength(5)
    await expect(familyOf(await as(reader), ids.both)).rejects.toMatchObject({
      code: 'not_permitted',
    })
  })
})
