import { createHash, randomBytes } from 'node:crypto'
import { describe, expect } from 'vitest'
import { test, testRoles } from '../support/engine.ts'

const prefix = 'abcd1234'
const tokenHash = createHash('sha256').update('secret').digest()
const token = { name: 'shop', prefix, hash: tokenHash, scopes: ['read'] }

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

describe('open_session', () => {
  test('opens a session that ends with its token, or after 7 days', async ({ engine }) => {
    const expiresAt = new Date(Date.now() + 3_600_000)
    const id = await engine.createToken({ ...token, expiresAt })
    const hash = randomBytes(32)

    expect(await engine.openSession({ hash, prefix, tokenHash })).toEqual(expiresAt)
    expect(await engine.findSession(hash, null)).toEqual({
      id,
      name: 'shop',
      scopes: ['read'],
      expires_at: expiresAt,
    })
    expect(await engine.findSession(randomBytes(32), null)).toBeNull()
  })

  test('rejects a hash that is not that of the token, or of a revoked one', async ({ engine }) => {
    const id = await engine.createToken(token)
    const hash = randomBytes(32)
    const found = await engine.findToken(prefix)
    const refused = { code: 'token_not_found' }

    const wrong = { hash, prefix, tokenHash: randomBytes(32) }
    await expect(engine.openSession(wrong)).rejects.toMatchObject(refused)
    // What an operator can read of a token is not enough.
    expect(found?.hash).toEqual(sha256(tokenHash))
    const seen = { hash, prefix, tokenHash: found?.hash ?? hash }
    await expect(engine.openSession(seen)).rejects.toMatchObject(refused)
    await engine.revokeToken(id)
    await expect(engine.openSession({ hash, prefix, tokenHash })).rejects.toMatchObject(refused)
    const short = { hash: Buffer.alloc(3), prefix, tokenHash }
    await expect(engine.openSession(short)).rejects.toMatchObject({ code: 'invalid_argument' })
  })

  test('leaves the latest hundred sessions of a token open', async ({ engine }) => {
    await engine.createToken(token)
    const hashes = Array.from({ length: 103 }, () => randomBytes(32))
    for (const hash of hashes) await engine.openSession({ hash, prefix, tokenHash })

    expect(await engine.value('select count(*)::integer from sessions')).toBe(100)
    expect(await engine.findSession(hashes[2] ?? tokenHash, null)).toBeNull()
    expect(await engine.findSession(hashes[3] ?? tokenHash, null)).toMatchObject({ name: 'shop' })
  })

  test('is for operators and their servers only', async ({ engine, connect }) => {
    const client = await connect()
    await client.query(`set role ${testRoles}_producer`)
    const session = { hash: randomBytes(32), prefix: null, tokenHash }

    await expect(engine.on(client).openSession(session)).rejects.toMatchObject({ code: '42501' })
    await client.query(`set role ${testRoles}_operator`)
    await engine.on(client).openSession(session)
  })
})

describe('find_session', () => {
  test('knows a session of a server by the token of that server', async ({ engine }) => {
    const hash = randomBytes(32)
    await engine.openSession({ hash, prefix: null, tokenHash })

    expect(await engine.findSession(hash, tokenHash)).toMatchObject({ id: null, name: null })
    expect(await engine.findSession(hash, randomBytes(32))).toBeNull()
    expect(await engine.findSession(hash, null)).toBeNull()
  })
})

describe('a session', () => {
  test('is closed once, and swept when its time is over', async ({ engine }) => {
    const hash = randomBytes(32)
    await engine.openSession({ hash, prefix: null, tokenHash })
    await engine.openSession({ hash: randomBytes(32), prefix: null, tokenHash })

    expect(await engine.closeSession(hash)).toBe(true)
    expect(await engine.closeSession(hash)).toBe(false)
    expect(await engine.findSession(hash, tokenHash)).toBeNull()
    await engine.rows("update sessions set expires_at = now() - interval '1 second'")
    await engine.sweep()
    expect(await engine.value('select count(*)::integer from sessions')).toBe(0)
  })
})
