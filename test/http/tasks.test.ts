import { describe, expect } from 'vitest'
import { test } from '../support/http.ts'

describe('tasks over HTTP', () => {
  test('a task that was enqueued can be seen (TS-20)', async ({ ask }) => {
    const made = await ask.post('/tasks', { queue: 'mail', payload: { to: 'ada' }, priority: 3 })
    const seen = await ask.get(`/tasks/${made.body.id}`)

    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toBe(`/api/v1/tasks/${made.body.id}`)
    expect(seen.body).toMatchObject({
      id: made.body.id,
      state: 'ready',
      queue: 'mail',
      payload: { to: 'ada' },
      priority: 3,
    })
  })
})
