import { describe, expect } from 'vitest'
import type { HttpTusk } from '../../src/http/http-context.ts'
import { adminToken, otherwise } from '../support/http.ts'
import { test } from '../support/http-server.ts'

const admin = { authorization: `Bearer ${adminToken}` }

/** The tokens of a client, and what was looked up in the database. */
function counting(tusk: HttpTusk): { tokens: HttpTusk['tokens']; looked: string[] } {
  const looked: string[] = []
  const find = {
    value: (given: string) => {
      looked.push(given)
      return tusk.tokens.find(given)
    },
  }
  return { tokens: Object.create(tusk.tokens, { find }), looked }
}

function asking(url: string): (token: string) => Promise<number> {
  return async (token) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${url}/api/v1/session`, { headers })).status
  }
}

describe('a token', () => {
  test('is not looked up again at once, whether it was found or not', async ({ listen, tusk }) => {
    const { token } = await tusk.tokens.create({ name: 'ada', scopes: ['read'] })
    const { tokens, looked } = counting(tusk)
    const { url } = await listen({ tusk: otherwise(tusk, { tokens }) })
    const ask = asking(url)

    const right = [await ask(token), await ask(token), await ask(token)]
    const wrong = [await ask('tusk_no'), await ask('tusk_no')]

    expect(right).toEqual([200, 200, 200])
    expect(wrong).toEqual([401, 401])
    expect(looked).toEqual([token, 'tusk_no'])
  })

  test('costs no query from an address that sent many wrong ones', async ({ listen, tusk }) => {
    const { token } = await tusk.tokens.create({ name: 'ada', scopes: ['read'] })
    const { tokens, looked } = counting(tusk)
    const failureLimit = { perSecond: 0.001, burst: 3 }
    const { url } = await listen({ tusk: otherwise(tusk, { tokens }), failureLimit })
    const ask = asking(url)
    const known = await ask(token)

    const guesses = []
    for (let n = 0; n < 20; n += 1) guesses.push(await ask(`tusk_guess${n}`))

    expect(guesses).toEqual([401, 401, 401, ...Array.from({ length: 17 }, () => 429)])
    expect(looked).toEqual([token, 'tusk_guess0', 'tusk_guess1', 'tusk_guess2'])
    // A token that was let in before is not kept out by those who guess.
    expect([known, await ask(token)]).toEqual([200, 200])
  })

  test('that does not hold, again and again, is slowed down; one that holds is not', async ({
    listen,
  }) => {
    const { url } = await listen({ failureLimit: { perSecond: 0.001, burst: 2 } })
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${url}/api/v1/session`, { headers })).status

    const guess = { authorization: 'Bearer tusk_guess' }
    const guesses = [await ask(guess), await ask(guess), await ask(guess), await ask({})]

    expect(guesses).toEqual([401, 401, 429, 429])
    expect(await ask(admin)).toBe(200)
  })
})

describe('what a proxy says', () => {
  const forwarded = {
    ...admin,
    'x-forwarded-for': '203.0.113.9, 198.51.100.7',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'tusk.example',
  }

  test.for([
    { trustProxy: false, address: '127.0.0.1' },
    { trustProxy: true, address: '198.51.100.7' },
  ])(
    'counts only where it is trusted: $trustProxy',
    async ({ trustProxy, address }, { listen, engine, db }) => {
      const { url } = await listen({ trustProxy })
      const { id } = await engine.enqueue({ queue: 'mail' })

      await fetch(`${url}/api/v1/tasks/${id}/cancel`, { method: 'POST', headers: forwarded })
      const session = await fetch(`${url}/api/v1/session`, {
        method: 'POST',
        headers: { ...forwarded, 'content-type': 'application/json' },
        body: JSON.stringify({ token: adminToken }),
      })

      const { rows } = await db.query('select address from audit_entry')
      expect(rows).toEqual([{ address }])
      expect(session.headers.get('set-cookie')?.includes('Secure')).toBe(trustProxy)
    },
  )
})
