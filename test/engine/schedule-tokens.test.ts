import { createHash } from 'node:crypto'
import type pg from 'pg'
import { describe, expect } from 'vitest'
import { test as base, testRoles } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

const hash = createHash('sha256').update('a secret').digest()
const report = { task: { queue: 'reports' }, every: '1 hour' }
const setter = `${testRoles}_setter`

interface Fixtures {
  /** Does something in a transaction in the name of a token. */
  withToken: <T>(token: string, work: (engine: TestEngine) => Promise<T>) => Promise<T>
  /** Makes a token and answers with its id. */
  makeToken: (name: string) => Promise<string>
  /** The verbs as a login that may set schedules now, and its connection. */
  operator: TestEngine
}

const test = base.extend<Fixtures>({
  withToken: async ({ engine, connect }, use) => {
    await use(async (token, work) => {
      const client = await connect()
      await client.query('begin')
      await client.query(`select set_config('tusk.caller', $1, true)`, [
        JSON.stringify({ actor: 'ada', door: 'http', token }),
      ])
      const answer = await work(engine.on(client))
      await client.query('commit')
      return answer
    })
  },
  makeToken: async ({ engine }, use) => {
    let count = 0
    await use((name) => {
      count += 1
      return engine.createToken({ name, prefix: `abcd123${count}`, hash, scopes: ['operate'] })
    })
  },
  operator: async ({ engine, db, connect }, use) => {
    await db.query(
      `do $$ begin create role ${setter} nologin; exception when duplicate_object or unique_violation then null; end $$`,
    )
    await db.query(`grant ${testRoles}_operator to ${setter}`)
    const client = await connect()
    await client.query(`set role ${setter}`)
    await use(engine.on(client))
    await revokeOperator(db)
  },
})

const revokeOperator = (db: pg.Pool) => db.query(`revoke ${testRoles}_operator from ${setter}`)

describe('revoke_token', () => {
  test('pauses the schedules that were set with the token, says why, and answers how many', async ({
    engine,
    withToken,
    makeToken,
  }) => {
    const [mine, other] = [await makeToken('shop'), await makeToken('other')]
    await withToken(mine, (on) => on.setSchedule('a', report))
    await withToken(mine, (on) => on.setSchedule('b', report))
    await withToken(other, (on) => on.setSchedule('c', report))
    await engine.setSchedule('d', report)

    expect(await engine.revokeToken(mine)).toBe(2)
    expect(await engine.revokeToken(mine)).toBe(0)

    const pause_reason = `token ${mine} (shop), which set it, was revoked`
    expect(await engine.schedules()).toMatchObject([
      { name: 'a', state: 'paused', pause_reason, token: mine },
      { name: 'b', state: 'paused', pause_reason },
      { name: 'c', state: 'planned', pause_reason: null, token: other },
      { name: 'd', state: 'planned', pause_reason: null, token: null },
    ])
  })

  test('stops the next firing, which is written down as skipped', async ({
    engine,
    withToken,
    makeToken,
  }) => {
    const token = await makeToken('shop')
    await withToken(token, (on) => on.setSchedule('a', report))
    await engine.revokeToken(token)

    await engine.pass('61 minutes')
    await engine.fire()

    expect(await engine.rows('select id from tasks')).toEqual([])
    expect(await engine.occurrences('a', {})).toMatchObject([
      { outcome: 'skipped', reason: 'paused' },
    ])
  })

  test('lets schedules go on that are to be kept, for a token that is replaced', async ({
    engine,
    withToken,
    makeToken,
  }) => {
    const token = await makeToken('shop')
    await withToken(token, (on) => on.setSchedule('a', report))

    expect(await engine.revokeToken(token, true)).toBe(0)

    expect(await engine.schedule('a')).toMatchObject({ state: 'planned', token: null })
  })

  test('names in the audit what it paused', async ({ engine, withToken, makeToken }) => {
    const token = await makeToken('shop')
    await withToken(token, (on) => on.setSchedule('a', report))

    await withToken(await makeToken('admin'), (on) => on.revokeToken(token))

    expect((await engine.auditEntries({}))[0]).toMatchObject({
      action: 'revoke_token',
      after: { paused_schedules: ['a'] },
    })
  })

  test('waits for a schedule that is being set with the token, and pauses it', async ({
    engine,
    connect,
    makeToken,
  }) => {
    const token = await makeToken('shop')
    const client = await connect()
    await client.query('begin')
    await client.query(`select set_config('tusk.caller', $1, true)`, [
      JSON.stringify({ actor: 'ada', token }),
    ])
    await engine.on(client).setSchedule('a', report)

    const revoked = engine.revokeToken(token)
    await client.query('commit')

    expect(await revoked).toBe(1)
    expect(await engine.schedule('a')).toMatchObject({ state: 'paused' })
  })
})

describe('a schedule whose token was revoked', () => {
  test('cannot be set again with that token', async ({ engine, withToken, makeToken }) => {
    const token = await makeToken('shop')
    await engine.revokeToken(token)

    await expect(withToken(token, (on) => on.setSchedule('a', report))).rejects.toMatchObject({
      code: 'not_permitted',
      message: `token ${token} was revoked`,
    })
    expect(await engine.schedules()).toEqual([])
  })

  test('belongs to the token that resumes it', async ({ engine, withToken, makeToken }) => {
    const [mine, other] = [await makeToken('shop'), await makeToken('other')]
    await withToken(mine, (on) => on.setSchedule('a', report))
    await engine.revokeToken(mine)

    await withToken(other, (on) => on.resumeSchedule('a'))

    expect(await engine.schedule('a')).toMatchObject({
      state: 'planned',
      pause_reason: null,
      token: other,
    })
    expect(await engine.revokeToken(other)).toBe(1)
  })

  test('goes on when a newer token has applied the same settings before', async ({
    engine,
    withToken,
    makeToken,
  }) => {
    const [mine, newer] = [await makeToken('shop'), await makeToken('newer')]
    await withToken(mine, (on) => on.applySchedules({ a: report }))
    await withToken(newer, (on) => on.applySchedules({ a: report }))

    expect(await engine.revokeToken(mine)).toBe(0)

    expect(await engine.schedule('a')).toMatchObject({
      state: 'planned',
      token: newer,
      revision: 1,
    })
  })
})

describe('a schedule whose role may not enqueue any more', () => {
  test('does not fire in its name, and says why', async ({ engine, db, operator }) => {
    await operator.setSchedule('a', report)
    await engine.setSchedule('b', report)
    await revokeOperator(db)

    await engine.pass('61 minutes')
    await engine.fire()

    expect(await engine.rows('select meta ->> $1 as of from tasks', 'schedule')).toEqual([
      { of: 'b' },
    ])
    expect(await engine.schedule('a')).toMatchObject({
      state: 'failing',
      error: {
        code: 'TK013',
        message: `role ${setter}, which set schedule a, may not enqueue any more`,
      },
    })
    await expect(engine.runSchedule('a')).rejects.toMatchObject({ code: 'not_permitted' })
  })

  test('fires again once another role has set it, also to the same settings', async ({
    engine,
    db,
    operator,
  }) => {
    await operator.setSchedule('a', report)
    await revokeOperator(db)
    await engine.pass('61 minutes')
    await engine.fire()

    await engine.setSchedule('a', report)
    await engine.fire()

    expect(await engine.schedule('a')).toMatchObject({ state: 'planned', error: null })
    expect(await engine.rows('select id from tasks')).toHaveLength(1)
  })
})
