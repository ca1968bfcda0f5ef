import { describe, expect } from 'vitest'
import { test } from '../support/http.ts'

const awkward = [
  "'; drop table tasks; --",
  '"; select pg_sleep(10); --',
  '$1',
  '%s %I {} $x',
  '\\',
  '{"a"}',
  '{NULL,"x\\"y"}',
  'ünïcödé 💥 \u202e',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  ' ',
]

describe('text that means something elsewhere', () => {
  test.for(awkward)('is text here: %s', async (text, { ask }) => {
    const made = await ask.post('/tasks', {
      queue: text,
      key: text,
      handler: text,
      groups: [text],
      tags: [text],
      payload: { [text]: text },
      meta: { [text]: text },
    })
    const path = `/tasks?queue=${encodeURIComponent(text)}&tag=${encodeURIComponent(text)}`
    const listed = await ask.get(`${path}&key=${encodeURIComponent(text)}`)
    const claim = await ask.post('/claims', { queue: text, worker: text, handlers: [text] })

    expect(made.status).toBe(201)
    expect(listed.body.items).toMatchObject([
      { id: made.body.id, key: text, groups: [text], payload: { [text]: text } },
    ])
    expect(claim.body.tasks).toMatchObject([{ id: made.body.id, tags: [text] }])
  })

  test.for(['a\u0000b', '\ud800', 'x\udfff'])(
    'is refused where Postgres cannot hold it: %j',
    async (text, { ask, engine }) => {
      const answers = [
        await ask.post('/tasks', { queue: text }),
        await ask.post('/tasks', { queue: 'mail', key: text }),
        await ask.post('/tasks', { queue: 'mail', tags: [text] }),
        await ask.post('/tasks', { queue: 'mail', payload: { text } }),
        await ask.post('/tasks', { queue: 'mail', payload: { [text]: 1 } }),
        await ask.post('/tasks', { queue: 'mail', meta: { text } }),
        await ask.post('/tasks', { tasks: [{ queue: 'mail' }, { queue: 'mail', payload: text }] }),
        await ask.post('/claims', { queue: text }),
        await ask.post('/claims', { queue: 'mail', worker: text }),
      ]

      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 422))
      expect(await engine.value('select count(*)::integer from task')).toBe(0)
    },
  )

  test.for(['output', 'error'])(
    'is refused in an %s, and the task stays held',
    async (name, { ask, engine, signed }) => {
      const { id, ...held } = await engine.running()
      const claim = await signed(held.claim)
      const verb = name === 'output' ? 'complete' : 'fail'

      const { status } = await ask.post(`/tasks/${id}/${verb}`, { claim, [name]: 'a\u0000b' })

      expect(status).toBe(422)
      expect(await engine.task(id)).toMatchObject({ state: 'running' })
    },
  )
})

describe('JSON', () => {
  test('keeps a key __proto__ as a key, and nothing else of ours gets it', async ({ ask }) => {
    const text = '{"queue": "mail", "payload": {"__proto__": {"admin": true}, "constructor": 1}}'
    const made = await ask.post('/tasks', text)
    const outside = await ask.post('/tasks', '{"queue": "mail", "__proto__": {"kind": "sql"}}')
    const { body } = await ask.get(`/tasks/${made.body.id}`)

    expect(JSON.stringify(body.payload)).toBe(
      '{"__proto__": {"admin": true}, "constructor": 1}'.replaceAll(' ', ''),
    )
    expect(outside.status).toBe(422)
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  test.for([200_000, 201])('of %i levels is refused', async (levels, { ask }) => {
    const deep = '['.repeat(levels) + ']'.repeat(levels)

    const { status, body } = await ask.post('/tasks', `{"queue": "mail", "payload": ${deep}}`)

    expect([status, body.code]).toEqual([422, 'invalid_request'])
    expect(body.detail).toContain('levels')
  })

  test.for(['1e400', '-1e999', '12345678901234567890', '9007199254740993', `1${'0'.repeat(400)}`])(
    'with a number that would be changed is refused: %s',
    async (number, { ask }) => {
      const { status, body } = await ask.post('/tasks', `{"queue": "mail", "payload": ${number}}`)

      expect([status, body.code]).toEqual([422, 'invalid_request'])
      expect(body.detail).toContain('too large to be kept exactly')
    },
  )

  test.for(['1e300', '-0.1', '9007199254740991', '0.1234567890123456789', '1E-400'])(
    'with any other number is taken: %s',
    async (number, { ask }) => {
      const made = await ask.post('/tasks', `{"queue": "mail", "payload": ${number}}`)

      const { body } = await ask.get(`/tasks/${made.body.id}`)
      expect(body.payload).toBe(Number(number))
    },
  )

  test('that is not UTF-8 is refused', async ({ ask }) => {
    const bytes = Buffer.concat([
      Buffer.from('{"queue": "'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ])

    const { status, body } = await ask.post('/tasks', bytes)

    expect([status, body.code]).toEqual([400, 'malformed_json'])
  })

  test('of 2 MB is refused, announced or not', async ({ ask }) => {
    const text = JSON.stringify({ queue: 'mail', payload: 'x'.repeat(2_000_000) })

    const { status, body } = await ask.post('/tasks', text)

    expect([status, body.code]).toEqual([413, 'body_too_large'])
  })

  test('with 1 MB of escapes is read without exhausting the server', async ({ ask }) => {
    const escapes = '\\n'.repeat(100_000)

    const { status } = await ask.post('/tasks', `{"queue": "mail", "payload": "${escapes}"}`)

    expect(status).toBe(201)
  })
})

test('an emoji may come as a pair of escapes', async ({ ask }) => {
  const { status } = await ask.post('/tasks', '{"queue": "mail", "key": "\\ud83d\\ude00"}')

  expect(status).toBe(201)
  expect((await ask.get('/tasks?key=%F0%9F%98%80')).body.items).toHaveLength(1)
})

describe('numbers and times out of range', () => {
  test.for([
    { priority: 2 ** 31 },
    { priority: 1.5 },
    { max_attempts: 0 },
    { max_attempts: -1 },
    { run_at: '2026-02-30T00:00:00Z' },
    { run_at: '2026-01-01' },
    { run_at: 'infinity' },
    { delay: '-' },
    { delay: '1 hour; drop table tasks' },
    { timeout: '0' },
    { parent: '99999999999999999999' },
    { groups: [''] },
    { kind: 'shell' },
  ])('are refused: %j', async (given, { ask, engine }) => {
    const { status } = await ask.post('/tasks', { queue: 'mail', ...given })

    expect(status).toBe(422)
    expect(await engine.value('select count(*)::integer from task')).toBe(0)
  })
})
