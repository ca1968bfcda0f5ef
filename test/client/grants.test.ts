import pg from 'pg'
import { describe, expect, inject } from 'vitest'
import { test as base } from '../support/client.ts'
import { makeRole } from '../support/roles.ts'

const role = 'grants_client'

const test = base.extend<{ asRole: pg.Pool }>({
  /** A pool of an application whose role is a producer and worker. */
  asRole: async ({ db, schema }, use) => {
    await makeRole(db, role, 'producer', 'worker')
    const pool = new pg.Pool({
      connectionString: inject('pgUrl'),
      options: `-c role=${role} -c search_path=${schema}`,
      max: 3,
    })
    await use(pool)
    await pool.end()
  },
})

describe('tusk.grants', () => {
  test('closes a queue to other roles, one by one and in bulk, and opens it', async ({
    tusk,
    open,
    asRole,
  }) => {
    const me = await tusk.pool.query('select current_user::text as name')
    await tusk.grants.give('mail', me.rows[0].name, ['operate'])
    const other = await open({ database: asRole })
    const refused = { code: 'not_permitted', message: `role ${role} may not enqueue queue mail` }

    await expect(other.enqueueTask({ queue: 'mail' })).rejects.toMatchObject(refused)
    await expect(other.enqueueTasks([{ queue: 'open' }, { queue: 'mail' }])).rejects.toMatchObject(
      refused,
    )
    await expect(other.claims.claim('mail')).rejects.toMatchObject({ code: 'not_permitted' })

    await tusk.grants.give('mail', role, ['enqueue', 'consume'])
    expect(await tusk.grants.list()).toHaveLength(2)
    await other.enqueueTask({ queue: 'mail', kind: 'document' })
    expect(await other.claims.claim('mail')).toHaveLength(1)

    expect(await tusk.grants.revoke('mail', role)).toBe(true)
    await expect(other.enqueueTask({ queue: 'mail' })).rejects.toMatchObject(refused)
    expect(await tusk.grants.open('mail')).toBe(1)
    await other.enqueueTask({ queue: 'mail' })
  })

  test('lets others be stored that were gathered with one that is refused', async ({
    tusk,
    open,
    asRole,
    engine,
  }) => {
    const me = await tusk.pool.query('select current_user::text as name')
    await tusk.grants.give('mail', me.rows[0].name, ['operate'])
    const other = await open({ database: asRole })

    const sent = await Promise.allSettled(
      ['a', 'mail', 'b', 'mail', 'c'].map((queue) => other.enqueueTask({ queue })),
    )

    expect(sent.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
    ])
    expect(await engine.rows('select queue from task order by queue')).toEqual([
      { queue: 'a' },
      { queue: 'b' },
      { queue: 'c' },
    ])
  })
})
