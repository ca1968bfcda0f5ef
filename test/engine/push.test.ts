import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

const url = 'https://example.org/tasks?a=1'
const secrets = [{ env: 'TUSK_SECRET_PUSH' }]

describe('set_push', () => {
  test('gives a queue its endpoint, changes it, and takes it away', async ({ engine }) => {
    await engine.setPush('mail', { url, secrets })
    expect(await engine.readPush(null)).toEqual([
      { queue: 'mail', url, secrets, timeout_ms: 30_000 },
    ])

    const two = [{ file: '/run/secrets/new' }, ...secrets]
    await engine.setPush('mail', { url, secrets: two, timeout: '5 seconds' })
    expect(await engine.pushes()).toMatchObject([
      { queue: 'mail', url, secrets: two, timeout: '00:00:05', set_by: expect.any(String) },
    ])
    expect(await engine.readPush(['post'])).toEqual([])

    await engine.setPush('mail', null)
    expect(await engine.pushes()).toEqual([])
  })

  test.for<[string, object, string]>([
    ['no url', { secrets }, 'no url'],
    ['an url that is none', { url: 'example.org', secrets }, 'url must be'],
    ['another protocol', { url: 'ftp://example.org/', secrets }, 'url must be'],
    ['a user in the url', { url: 'https://ada:pw@example.org/', secrets }, 'url must be'],
    ['a fragment', { url: 'https://example.org/#a', secrets }, 'url must be'],
    ['a blank', { url: 'https://example.org/a b', secrets }, 'url must be'],
    ['no secret', { url }, 'secrets must be'],
    ['an empty list', { url, secrets: [] }, 'secrets must be'],
    ['a secret in clear', { url, secrets: ['whsec_abc'] }, 'each of secrets'],
    ['two places in one', { url, secrets: [{ env: 'A', file: 'b' }] }, 'each of secrets'],
    ['a timeout of nothing', { url, secrets, timeout: '0' }, 'timeout must'],
    ['a timeout that is none', { url, secrets, timeout: 'soon' }, 'timeout'],
    ['a setting it does not know', { url, secrets, method: 'PUT' }, 'method'],
  ])('refuses %s, and changes nothing', async ([, given, message], { engine }) => {
    await expect(engine.setPush('mail', given as never)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(message),
    })
    expect(await engine.pushes()).toEqual([])
  })

  test('refuses the queue of defaults', async ({ engine }) => {
    await expect(engine.setPush('*', { url, secrets })).rejects.toThrow('not the name of a queue')
  })
})
