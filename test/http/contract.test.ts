import { describe, expect } from 'vitest'
import { test } from '../support/http.ts'
import { documentOf } from '../support/http-ask.ts'
import { openContract } from '../support/http-contract.ts'

interface Operation {
  readonly summary: string
  readonly operationId: string
  readonly tags: readonly string[]
  readonly responses: Readonly<Record<string, { content?: Record<string, unknown> }>>
  readonly parameters?: readonly { in: string; name: string }[]
}

/** What the summary of an operation may begin with. A new verb is added here. */
const verbs = new Set(
  `Ask Cancel Change Check Claim Complete Count Create Delete Deliver End Enqueue Extend Fail Follow Get Grant List
  Move Open Pause Preview Reject Release Remove Report Resume Retry Revoke Run Send Show Split Stop Write`.split(
    /\s+/,
  ),
)

describe('the OpenAPI document', () => {
  test('says what each operation does, the verb first', async ({ http }) => {
    const { paths } = await documentOf(http)
    const operations = Object.values<Record<string, Operation>>(paths).flatMap(Object.values)

    expect(operations.length).toBeGreaterThan(80)
    for (const { operationId, summary } of operations as Operation[]) {
      expect(operationId).toMatch(/^[a-z]+([A-Z][a-z]+)+$/)
      expect([...verbs], summary).toContain(/^\w+/.exec(summary)?.[0])
    }
  })

  test('describes every route with its answers, and its problems', async ({ http }) => {
    const document = await documentOf(http)

    expect(document.openapi).toBe('3.1.0')
    const ids = new Set<string>()
    for (const [path, methods] of Object.entries<Record<string, Operation>>(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const what = `${method} ${path}`
        expect(operation.summary, what).toMatch(/\S/)
        expect(operation.tags, what).toHaveLength(1)
        expect(ids, what).not.toContain(operation.operationId)
        ids.add(operation.operationId)
        expect(operation.responses['default']?.content, what).toHaveProperty([
          'application/problem+json',
        ])
        const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
        const declared = operation.parameters?.filter((one) => one.in === 'path') ?? []
        expect(
          declared.map(({ name }) => name),
          what,
        ).toEqual(named)
      }
    }
  })

  test('is held to by the test client: what it does not declare fails', async ({ http }) => {
    const check = openContract(await documentOf(http))
    const headers = new Headers({ 'content-type': 'application/json' })
    const answer = (status: number, body: unknown) => () =>
      check('GET', '/healthz', { status, headers, body })

    expect(answer(200, { status: 'ok' })).not.toThrow()
    expect(answer(200, { status: 1 })).toThrow()
    expect(answer(200, { status: 'ok', surprise: 1 })).toThrow()
    expect(answer(202, { status: 'ok' })).toThrow()
  })

  test('is also a page, which runs its own script and no other', async ({ ask, http }) => {
    const { body, headers } = await ask.as(null).get('/docs')

    expect(body).toContain('/api/v1/tasks/{id}/complete')
    expect(String(body).match(/<script/g)).toHaveLength(1)
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; connect-src 'self'; frame/,
    )
    expect(http.routes.every(({ path }) => String(body).includes(path))).toBe(true)
  })

  test('names the server by its base path', async ({ serve }) => {
    const http = await serve({ basePath: '/tusk' })

    expect((await documentOf(http)).servers).toEqual([{ url: '/tusk' }])
  })
})

test('GET /info tells what the server stands on', async ({ ask, schema }) => {
  const { body } = await ask.get('/info')

  expect(body).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    schema,
    schema_version: expect.stringMatching(/^(baseline|\d{4}_\w+)$/),
    database: { is_standby: false, version: expect.stringMatching(/^\d+/) },
    sql_over_http: false,
  })
})
