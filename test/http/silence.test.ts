import { describe, expect, inject } from 'vitest'
import { adminToken, test } from '../support/http.ts'
import { openAsk } from '../support/http-ask.ts'
import { openProxy } from '../support/proxy.ts'

const limit = 150_000

describe('connections of the server that fall silent', () => {
  test('fail the request that needs one, and the next is answered', { timeout: limit }, async ({
    open,
    serve,
  }) => {
    const proxy = await openProxy(inject('pgUrl'))
    // No time limits, which would end the wait as well.
    const tusk = await open({ database: proxy.url, queryTimeoutMs: 0 })
    const http = await serve({ tusk, readTimeoutMs: 0, writeTimeoutMs: 0 })
    const ask = await openAsk(http, adminToken)
    const { body: task } = await ask.post('/tasks', { queue: 'mail' })
    await ask.get(`/tasks/${task.id}`)
    await ask.post(`/tasks/${task.id}/cancel`)

    proxy.forget()
    const asked = Promise.all([
      ask.get(`/tasks/${task.id}`),
      ask.post('/tasks', { queue: 'mail' }),
      ask.post(`/tasks/${task.id}/retry`),
    ])
    let isAnswered = false
    asked.then(
      () => {
        isAnswered = true
      },
      () => {},
    )
    try {
      await expect.poll(() => isAnswered).toBe(true)
    } catch (error) {
      // What waits for an answer would hold up the end of the test.
      await proxy.close()
      throw error
    }
    const answers = await asked
    const [read, enqueued, acted] = await Promise.all([
      ask.get(`/tasks/${task.id}`),
      ask.post('/tasks', { queue: 'mail' }),
      ask.post(`/tasks/${task.id}/retry`),
    ])

    // A caller that found no idle connection was given a new one.
    expect(answers.map(({ status }) => status)).toContain(503)
    expect(answers.filter(({ status }) => status >= 500 && status !== 503)).toEqual([])
    expect([read.status, enqueued.status]).toEqual([200, 201])
    expect(acted.status).toBeLessThan(500)
    await http.close()
    await tusk.close()
    await proxy.close()
  })
})
