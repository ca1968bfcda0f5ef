import { describe, expect } from 'vitest'
import { test } from '../support/http.ts'

describe('what is wrong with a request', () => {
  test.for([
    [{}, 'body.queue', 'is missing; give a string'],
    [{ queue: 7 }, 'body.queue', 'must be a string, not the number 7'],
    [{ queue: '' }, 'body.queue', 'must not be empty'],
    [{ queue: 'mail', tags: 'x' }, 'body.tags', 'must be an array, not a string'],
    [{ queue: 'mail', prioirty: 1 }, 'body.prioirty', 'unknown property; did you mean priority?'],
    [{ queue: 'mail', kind: 'documnet' }, 'body.kind', 'did you mean document?'],
    [{ tasks: [] }, 'body.tasks', 'must have at least 1 item'],
  ] as const)('is said in plain words of %j', async ([task, path, words], { ask }) => {
    const { status, body } = await ask.post('/tasks', task)

    expect(status).toBe(422)
    expect(body.errors).toEqual([{ path, message: expect.stringContaining(words) }])
  })

  test('is said of filters too', async ({ ask }) => {
    const { body } = await ask.get('/tasks?qeue=mail&stat=ready')

    expect(body.errors).toMatchObject([
      { path: 'query.qeue', message: 'unknown property; did you mean queue?' },
      { path: 'query.stat', message: 'unknown property; did you mean state?' },
    ])
  })

  test('does not compare a name as long as a book with all that there are', async ({ ask }) => {
    const { status, body } = await ask.post('/tasks', { queue: 'mail', ['x'.repeat(500_000)]: 1 })

    expect(status).toBe(422)
    expect(body.errors[0].message).toMatch(/^unknown property; known are queue/)
  })
})
