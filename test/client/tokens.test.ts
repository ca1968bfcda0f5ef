import { describe, expect } from 'vitest'
import { permits, type Scope } from '../../src/engine/permits.ts'
import { test } from '../support/client.ts'

describe('tusk.tokens', () => {
  test('makes a secret that lets in, and keeps nothing of it', async ({ tusk, engine }) => {
    const { token, id } = await tusk.tokens.create({ name: 'shop', scopes: ['read'] })

    expect(token).toMatch(/^tusk_[A-Za-z0-9]{8}_[A-Za-z0-9_-]{43}$/)
    expect(await tusk.tokens.find(token)).toEqual({
      id,
      name: 'shop',
      scopes: ['read'],
      expiresAt: null,
    })
    const secret = token.slice(14)
    expect(await engine.value('select tokens::text from tokens')).not.toContain(secret)
    expect(JSON.stringify(await tusk.tokens.list())).not.toContain(secret)
  })

  test('detects a wrong secret behind a right prefix, and what is not a token at all', async ({
    tusk,
  }) => {
    const { token } = await tusk.tokens.create({ name: 'shop', scopes: ['read'] })
    const last = token.at(-2) === 'A' ? 'B' : 'A'

    expect(await tusk.tokens.find(`${token.slice(0, -2)}${last}${token.at(-1)}`)).toBeNull()
    expect(await tusk.tokens.find(`${token}x`)).toBeNull()
    expect(await tusk.tokens.find(`${token}\0`)).toBeNull()
    expect(await tusk.tokens.find('')).toBeNull()
    expect(await tusk.tokens.find("tusk_' or 1=1_")).toBeNull()
  })

  test('makes and revokes in a transaction of the caller', async ({ tusk, connect }) => {
    const { id, token } = await tusk.tokens.create({ name: 'shop', scopes: ['read'] })
    const client = await connect()

    await client.query('begin')
    await tusk.tokens.revoke(id, { on: client })
    await tusk.tokens.create({ name: 'other', scopes: ['read'] }, { on: client })
    expect(await tusk.tokens.find(token, { on: client })).toBeNull()
    await client.query('rollback')

    expect(await tusk.tokens.list()).toMatchObject([{ id, state: 'alive' }])
  })
})

describe('permits', () => {
  const all: Scope[] = ['read', 'enqueue', 'consume', 'sql', 'operate', 'admin']

  test.for<[string, Scope[]]>([
    ['read', ['read']],
    ['enqueue', ['enqueue']],
    ['consume', ['consume']],
    ['sql', ['sql']],
    ['operate', ['read', 'enqueue', 'consume', 'operate']],
    ['admin', all],
    ['enqueue:mail', []],
    ['toString', []],
  ])('takes %s for what it is', ([scope, allowed]) => {
    expect(all.filter((needed) => permits([scope], needed))).toEqual(allowed)
  })

  test('keeps a scope of one queue to that queue', () => {
    expect(permits(['enqueue:mail'], 'enqueue', 'mail')).toBe(true)
    expect(permits(['enqueue:mail'], 'enqueue', 'post')).toBe(false)
    expect(permits(['enqueue:mail'], 'consume', 'mail')).toBe(false)
    expect(permits(['enqueue'], 'enqueue', 'post')).toBe(true)
    expect(permits(['operate'], 'consume', 'post')).toBe(true)
  })
})
