import { describe, expect } from 'vitest'
import { test } from '../support/http.ts'

const endpoint = { url: 'https://example.org/tasks', secrets: [{ env: 'TUSK_SECRET_PUSH' }] }

describe('the endpoint of a queue, over HTTP', () => {
  test('is set, shown and removed', async ({ ask }) => {
    expect((await ask.put('/queues/mail/push', endpoint)).status).toBe(204)
    expect((await ask.get('/queues/mail/push')).body).toMatchObject({
      queue: 'mail',
      ...endpoint,
      timeout: '00:00:30',
    })
    expect((await ask.get('/push')).body.items).toHaveLength(1)

    expect((await ask.delete('/queues/mail/push')).status).toBe(204)
    expect((await ask.get('/queues/mail/push')).status).toBe(404)
  })

  test('is refused with a secret in clear', async ({ ask }) => {
    const { status } = await ask.put('/queues/mail/push', { ...endpoint, secrets: ['whsec_x'] })

    expect(status).toBe(422)
    expect((await ask.get('/push')).body.items).toEqual([])
  })
})
