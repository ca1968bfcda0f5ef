import { describe, expect } from 'vitest'
import { adminToken, otherwise } from '../support/http.ts'
import { test } from '../support/http-server.ts'

const admin = { authorization: `Bearer ${adminToken}` }

describe('a token', () => {
  test('that was found is not looked up again at once, and one that was not is', async ({
    listen,
    tusk,
  }) => {
    const { token } = await tusk.tokens.create({ name: 'ada', scopes: ['read'] })
    const looked: string[] = []
    const tokens = Object.create(tusk.tokens, {
      find: {
        value: (given: string) => {
          looked.push(given)
          return tusk.tokens.find(given)
        },
      },
    })
    const { url } = await listen({ tusk: otherwise(tusk, { tokens }) })
    const ask = async (given: string) =>
      (await fetch(`${url}/api/v1/session`, { headers: { authorization: `Bearer ${given}` } }))
        .status

    const right = [await ask(token), await ask(token), await ask(token)]
    const wrong = [await ask('tusk_no'), await ask('tusk_no')]

    expect(right).toEqual([200, 200, 200])
    expect(wrong).toEqual([401, 401])
    expect(looked).toEqual([token, 'tusk_no', 'tusk_no'])
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
