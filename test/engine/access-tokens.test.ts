import { createHash } from 'node:crypto'
import { describe, expect } from 'vitest'
import { test as base, testRoles } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

const hash = createHash('sha256').update('a secret').digest()
const token = { name: 'shop', prefix: 'abcd1234', hash, scopes: ['enqueue:mail'] }

const test = base.extend<{ as: (role: string) => Promise<TestEngine> }>({
  as: async ({ engine, connect }, use) => {
    await use(async (role) => {
      const client = await connect()
      await client.query(`set role ${testRoles}_${role}`)
      return engine.on(client)
    })
  },
})

describe('create_token', () => {
  test('makes a token that is found by its prefix, hash and scopes with it', async ({ engine }) => {
    const id = await engine.createToken({ ...token, scopes: ['sql', 'enqueue:mail', 'sql'] })

    expect(await engine.findToken('abcd1234')).toEqual({
      id,
      name: 'shop',
      hash: createHash('sha256').update(hash).digest(),
      scopes: ['enqueue:mail', 'sql'],
      expires_at: null,
    })
    expect(await engine.findToken('abcd1235')).toBeNull()
  })

  test.for([
    ['no name', { name: '' }, 'name'],
    ['a short prefix', { prefix: 'abc' }, 'prefix'],
    ['a prefix with a sign', { prefix: 'abcd_123' }, 'prefix'],
    ['a hash that is none', { hash: Buffer.from('plain') }, '32 bytes'],
    ['no scope', { scopes: [] }, '1 to 100 scopes'],
    ['an unknown scope', { scopes: ['read', 'opperate'] }, "unknown scope 'opperate'"],
    ['an empty scope', { scopes: [''] }, "unknown scope ''"],
    ['a scope in capitals', { scopes: ['READ'] }, "unknown scope 'READ'"],
    ['reading of one queue', { scopes: ['read:mail'] }, 'cannot be limited to one queue'],
    ['no queue after the colon', { scopes: ['enqueue:'] }, 'not the name of a queue'],
    ['all queues as a star', { scopes: ['consume:*'] }, 'not the name of a queue'],
    ['a time that is over', { expiresAt: new Date('2020-01-01') }, 'would have expired'],
  ] as const)('refuses %s', async ([, wrong, message], { engine }) => {
    await expect(engine.createToken({ ...token, ...wrong })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(message),
    })
    expect(await engine.listTokens()).toEqual([])
  })

  test('asks whether a scope nearby was meant', async ({ engine }) => {
    await expect(engine.createToken({ ...token, scopes: ['opperate'] })).rejects.toMatchObject({
      hint: expect.stringContaining('Did you mean operate?'),
    })
  })

  test('takes queues whose names have colons and spaces', async ({ engine }) => {
    await engine.createToken({ ...token, scopes: ['enqueue:a:b c'] })

    expect(await engine.findToken('abcd1234')).toMatchObject({ scopes: ['enqueue:a:b c'] })
  })

  test('refuses a prefix that is taken', async ({ engine }) => {
    await engine.createToken(token)

    await expect(engine.createToken({ ...token, name: 'other' })).rejects.toMatchObject({
      code: 'invalid_argument',
    })
  })

  test('is for admins; operators may check tokens, others may not', async ({ engine, as }) => {
    await engine.createToken(token)
    const denied = { code: '42501' }

    await expect((await as('operator')).createToken(token)).rejects.toMatchObject(denied)
    await expect((await as('operator')).listTokens()).rejects.toMatchObject(denied)
    expect(await (await as('operator')).findToken('abcd1234')).toMatchObject({ name: 'shop' })
    await expect((await as('worker')).findToken('abcd1234')).rejects.toMatchObject(denied)
    expect(await (await as('admin')).listTokens()).toHaveLength(1)
  })
})

describe('find_token', () => {
  test('gives no token that has expired, by the clock of the database', async ({ engine }) => {
    const expiresAt = new Date(Date.now() + 3_600_000)
    await engine.createToken({ ...token, expiresAt })
    expect(await engine.findToken('abcd1234')).toMatchObject({ expires_at: expiresAt })

    await engine.pass('61 minutes')

    expect(await engine.findToken('abcd1234')).toBeNull()
    expect(await engine.listTokens()).toMatchObject([{ state: 'expired' }])
  })

  test('writes down the use of a token, once a minute at most', async ({ engine }) => {
    await engine.createToken(token)
    const used = () => engine.value<Date>('select last_used_at from token')

    await engine.findToken('abcd1234')
    const first = await used()
    await engine.findToken('abcd1234')
    expect(await used()).toEqual(first)

    await engine.pass('61 seconds')
    await engine.findToken('abcd1234')
    expect(Number(await used())).toBeGreaterThan(Number(first))
  })

  test('does not wait for another session that records it', async ({ engine, connect }) => {
    await engine.createToken(token)
    const other = await connect()
    await other.query('begin')
    await engine.on(other).findToken('abcd1234')

    expect(await engine.findToken('abcd1234')).toMatchObject({ name: 'shop' })
    await other.query('rollback')
  })
})

describe('revoke_token', () => {
  test('lets no caller in any more, and changes nothing the second time', async ({ engine }) => {
    const id = await engine.createToken(token)

    await engine.revokeToken(id)
    expect(await engine.findToken('abcd1234')).toBeNull()
    const [revoked] = await engine.listTokens()
    await engine.revokeToken(id)

    expect(revoked).toMatchObject({ state: 'revoked' })
    expect(await engine.listTokens()).toEqual([revoked])
  })

  test('refuses an id that no token has', async ({ engine }) => {
    await expect(engine.revokeToken('404')).rejects.toMatchObject({ code: 'token_not_found' })
  })

  test('is forgotten when the audit cannot name it any more', async ({ engine }) => {
    await engine.createToken({ ...token, expiresAt: new Date(Date.now() + 1_000_000) })
    await engine.createToken({ ...token, prefix: 'abcd1235' })
    await engine.revokeToken(await engine.createToken({ ...token, prefix: 'abcd1236' }))

    await engine.pass('90 days')
    await engine.sweep()
    expect(await engine.listTokens()).toHaveLength(3)
    await engine.pass('2 days')
    await engine.sweep()

    expect(await engine.listTokens()).toMatchObject([{ prefix: 'abcd1235', state: 'alive' }])
  })
})
