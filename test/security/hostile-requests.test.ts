import { describe, expect, vi } from 'vitest'
import { adminToken } from '../support/http.ts'
import { test } from '../support/http-server.ts'

/** Comparing words by edit distance is what one request could make a server do for 13 seconds. */
const compared = vi.hoisted(() => ({ words: 0 }))

vi.mock('../../src/lib/nearest-word.ts', async (original) => {
  const { nearestWord } = await original<typeof import('../../src/lib/nearest-word.ts')>()
  return {
    nearestWord: (given: string, words: readonly string[]) => {
      compared.words += words.length
      return nearestWord(given, words)
    },
  }
})

function unknownNames(count: number): string {
  return `{${Array.from({ length: count }, (_, i) => `"queu${i}":1`).join(',')}}`
}

function many(item: string, count: number): string {
  return Array.from({ length: count }, () => item).join(',')
}

const claim = '7.q2vXc8Qd0fUO3Jr9oZxk1A'

/** Where it goes, what is sent, and how many faults it has at the least. */
const bodies: readonly (readonly [string, string, string])[] = [
  ['unknown properties', '/tasks', unknownNames(70_000)],
  ['unknown properties without a token', '/session', unknownNames(70_000)],
  [
    'unknown properties of many tasks',
    '/tasks',
    `{"tasks":[${many('{"queu":1,"pririty":2}', 10_000)}]}`,
  ],
  [
    'wrong kinds of many tasks',
    '/tasks',
    `{"tasks":[${many('{"queue":"q","kind":"documnet"}', 10_000)}]}`,
  ],
  ['tags that are not texts', '/tasks', `{"queue":"q","tags":[${many('0', 400_000)}]}`],
  ['more tasks than are taken', '/tasks', `{"tasks":[${many('{}', 300_000)}]}`],
  ['a name as long as the body', '/tasks', `{"queue":"q","${'k'.repeat(900_000)}":1}`],
  ['a value as long as the body', '/tasks', `{"queue":"q","kind":"${'k'.repeat(900_000)}"}`],
  [
    'states that there are not',
    '/operations',
    `{"action":"cancel","filter":{"state":[${many('"faild"', 100_000)}]}}`,
  ],
  [
    'ids that are not ids',
    '/operations',
    `{"action":"cancel","filter":{"ids":[${many('"x"', 200_000)}]}}`,
  ],
  ['a long action', '/operations', `{"action":"${'c'.repeat(900_000)}","filter":{}}`],
  ['scopes that are not texts', '/tokens', `{"name":"x","scopes":[${many('0', 400_000)}]}`],
  ['handlers that are not texts', '/claims', `{"queue":"q","handlers":[${many('0', 400_000)}]}`],
  ['kinds that there are not', '/claims', `{"queue":"q","kinds":[${many('"sq"', 150_000)}]}`],
  [
    'lines that are not lines',
    '/tasks/1/log',
    `{"claim":"${claim}","lines":[${many('{}', 300_000)}]}`,
  ],
  ['tasks without an id', `/claims/${claim}/complete`, `{"tasks":[${many('{}', 300_000)}]}`],
]

describe('a request full of faults', () => {
  test.for(bodies)('costs little: %s', async ([, path, body], { listen }) => {
    const { url } = await listen()
    compared.words = 0

    const answer = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(path === '/session' ? {} : { authorization: `Bearer ${adminToken}` }),
      },
      body,
    })
    const text = await answer.text()
    const after = await fetch(`${url}/healthz`)

    expect([answer.status, JSON.parse(text).code]).toEqual([422, 'invalid_request'])
    const { errors } = JSON.parse(text) as { errors: readonly unknown[] }
    expect(errors.length).toBeGreaterThan(0)
    expect(errors.length).toBeLessThanOrEqual(20)
    expect(text.length).toBeLessThan(50_000)
    // Two forms of a body, 200 faults each, of some thirty names.
    expect(compared.words).toBeLessThan(20_000)
    expect(after.status).toBe(200)
  })

  test('names how many faults there are, and the first of them', async ({ listen }) => {
    const { url } = await listen()

    const answer = await fetch(`${url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: unknownNames(1_000),
    })

    const { detail, errors } = (await answer.json()) as { detail: string; errors: unknown[] }
    expect(detail).toContain('(and 1000 more)')
    expect(errors).toHaveLength(20)
  })

  test('costs little in a query', async ({ listen }) => {
    const { url } = await listen()
    compared.words = 0
    const query = Array.from({ length: 1_500 }, (_, i) => `queu${i}=1`).join('&')

    const answer = await fetch(`${url}/api/v1/tasks?${query}`, {
      headers: { authorization: `Bearer ${adminToken}` },
    })

    expect(answer.status).toBe(422)
    expect(((await answer.json()) as { errors: unknown[] }).errors).toHaveLength(20)
    expect(compared.words).toBeLessThan(2_000)
  })
})

describe('a text of SQL that keeps the parser busy', () => {
  test.for([
    ['comments', '/*'.repeat(100_000)],
    ['closed comments', `${'/*'.repeat(49_000)}${'*/'.repeat(49_000)} select 1`],
    ['operators', `select 1 ${'+'.repeat(199_000)} 1`],
  ] as const)('keeps no other request waiting: %s', async ([, sql], { listen }) => {
    const { url } = await listen()
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
    const parse = async (text: string) => {
      const answer = await fetch(`${url}/api/v1/sql/parse`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ sql: text }),
      })
      return (await answer.json()) as { statements: unknown[]; error: { message: string } | null }
    }

    await parse('select 1')

    let isOver = false
    const hostile = parse(sql).finally(() => {
      isOver = true
    })
    let answered = 0
    while (!isOver) {
      const other = await fetch(`${url}/api/v1/session`, { headers })
      if (!isOver && other.status === 200) answered += 1
    }

    // The comments are rejected at once, the operators when their time is over.
    if (sql.includes('+')) expect(answered).toBeGreaterThan(5)
    expect((await hostile).error).not.toBeNull()
    expect((await parse('select 1')).statements).toHaveLength(1)
  })
})
