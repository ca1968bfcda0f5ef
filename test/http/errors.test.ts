import { gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { adminToken, otherwise, test } from '../support/http.ts'

const body = { queue: 'mail' }

describe('a problem', () => {
  test('has a stable type, a code and the id of the request', async ({ ask }) => {
    const {
      status,
      headers,
      body: problem,
    } = await ask.get('/tasks/42', {
      headers: { 'x-request-id': 'req-7' },
    })

    expect(status).toBe(404)
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(headers.get('x-request-id')).toBe('req-7')
    expect(problem).toMatchObject({
      type: 'https://pgtusk.dev/errors/task_not_found',
      title: 'Task not found',
      status: 404,
      code: 'task_not_found',
      request_id: 'req-7',
    })
  })

  test('gets an id of its own where the given one is not sane', async ({ ask }) => {
    const { headers } = await ask.get('/tasks/42', { headers: { 'x-request-id': 'a b <script>' } })

    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('is what an unknown route answers', async ({ ask }) => {
    const { status, body: problem } = await ask.get('/nothing/here')

    expect([status, problem.code]).toEqual([404, 'not_found'])
  })

  test('names the methods that a path takes', async ({ ask }) => {
    const { status, headers, body: problem } = await ask.send('PUT', '/tasks/42')

    expect([status, problem.code]).toEqual([405, 'method_not_allowed'])
    expect(headers.get('allow')?.split(', ').sort()).toEqual(['DELETE', 'GET', 'HEAD', 'PATCH'])
  })

  test.for([
    ['{"queue": }', 'line 1, column 11'],
    ['{"queue": "mail"', 'line 1, column 17'],
    ['{\n  "queue": "mail",\n}', 'line 3, column 1'],
    ['{"queue": "ma\nil"}', 'line 1, column 11'],
    ['{"queue": "\\x"}', 'line 1, column 11'],
    ['{queue: "mail"}', 'line 1, column 2'],
    ['{"queue" "mail"}', 'line 1, column 10'],
    ['{"queue": "mail"} {}', 'line 1, column 19'],
    ['{"queue": 01}', 'line 1, column 12'],
    ['[1, 2', 'line 1, column 6'],
    ['nonsense', 'line 1, column 1'],
  ])('says where %s is not JSON', async ([text = '', place], { ask }) => {
    const { status, body: problem } = await ask.post('/tasks', text)

    expect([status, problem.code]).toEqual([400, 'malformed_json'])
    expect(problem.detail).toContain(`at ${place}`)
  })

  test.for(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])(
    'refuses a body of type "%s"',
    async (type, { ask }) => {
      const { status, body: problem } = await ask.post('/tasks', body, {
        headers: { 'content-type': type },
      })

      expect([status, problem.code]).toEqual([415, 'unsupported_media_type'])
    },
  )

  test('refuses a body that is compressed', async ({ ask }) => {
    const { status, body: problem } = await ask.post('/tasks', gzipSync('{"queue": "mail"}'), {
      headers: { 'content-encoding': 'gzip' },
    })

    expect([status, problem.code]).toEqual([415, 'unsupported_media_type'])
    expect(problem.detail).toContain('gzip')
  })

  test('names each place where a request is wrong', async ({ ask }) => {
    const { status, body: problem } = await ask.post('/tasks', {
      queue: '',
      priority: 'high',
      surprise: 1,
      backoff: { kind: 'sometimes' },
    })

    expect([status, problem.code]).toEqual([422, 'invalid_request'])
    const paths = problem.errors.map(({ path }: { path: string }) => path)
    expect(paths.sort()).toEqual([
      'body.backoff.kind',
      'body.priority',
      'body.queue',
      'body.surprise',
    ])
  })

  test('names the place among many tasks', async ({ ask }) => {
    const { body: problem } = await ask.post('/tasks', { tasks: [body, { queue: 7 }] })

    expect(problem.errors).toMatchObject([{ path: 'body.tasks.1.queue' }])
  })

  test.for([
    ['/tasks?limit=0', 'query.limit'],
    ['/tasks?limit=many', 'query.limit'],
    ['/tasks?state=asleep', 'query.state.0'],
    ['/tasks?queue=a&queue=b', 'query.queue'],
    ['/tasks?colour=red', 'query.colour'],
    ['/tasks?cursor=%21%21', 'query.cursor'],
    ['/tasks?created_after=yesterday', 'query.created_after'],
    ['/tasks/forty-two', 'params.id'],
    ['/tasks/0', 'params.id'],
    ['/tasks/-1', 'params.id'],
    ["/tasks/1'--", 'params.id'],
  ])('names what is wrong with %s', async ([path = '', place], { ask }) => {
    const { status, body: problem } = await ask.get(path)

    expect([status, problem.code]).toEqual([422, 'invalid_request'])
    expect(problem.errors).toMatchObject([{ path: place }])
  })

  test('is what the engine refuses', async ({ ask, engine }) => {
    const { id } = await engine.inState('done')
    const held = await engine.running()

    const answers = [
      await ask.post(`/tasks/${id}/cancel`),
      await ask.post(`/tasks/${held.id}/complete`, { claim: `999.${'a'.repeat(22)}` }),
      await ask.post('/tasks', { queue: 'mail', delay: 'a while' }),
      await ask.post('/tasks', { queue: 'mail', delay: '1 hour', run_at: '2030-01-01T00:00:00Z' }),
      await ask.get('/tasks/9223372036854775808'),
      await ask.delete('/tasks/77777'),
    ]

    expect(answers.map(({ status, body: problem }) => [status, problem.code])).toEqual([
      [409, 'wrong_state'],
      [409, 'lease_lost'],
      [422, 'invalid_argument'],
      [422, 'invalid_argument'],
      [422, 'invalid_argument'],
      [404, 'task_not_found'],
    ])
  })

  test('tells that a payload is above what its queue takes', async ({ ask, engine }) => {
    await engine.setQueue('small', { max_payload: 100 })

    const { status, body: problem } = await ask.post('/tasks', {
      queue: 'small',
      payload: 'x'.repeat(200),
    })

    expect([status, problem.code]).toEqual([413, 'payload_too_large'])
  })

  test('says nothing of what went wrong inside, and logs it', async ({ serve, tusk }) => {
    const lines: object[] = []
    const hear = (fields: object) => void lines.push(fields)
    const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: hear }
    const broken = otherwise(tusk, {
      enqueueTask: () => Promise.reject(new Error('select secret from users')),
    })
    const http = await serve({ tusk: broken, logger })

    const response = await http.fetch(
      new Request('http://tusk.test/api/v1/tasks', {
        method: 'POST',
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )

    const text = await response.text()
    expect(response.status).toBe(500)
    expect(text).not.toMatch(/secret|select|\.ts/)
    expect(lines).toMatchObject([{ request: response.headers.get('x-request-id') }])
  })
})
