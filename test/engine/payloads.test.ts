import { describe, expect } from 'vitest'
import type { Json } from '../../src/engine/task.ts'
import { test } from '../support/engine.ts'

const hostile: [string, Json][] = [
  ['null', null],
  ['a number beyond what Postgres indexes', 1.7976931348623157e308],
  ['an empty string', ''],
  ['quotes and backslashes', `it's "quoted" \\ and $1 %s {a,b} \\\\`],
  ['HTML', '<script>alert("x")</script><img src=x onerror=alert(1)>'],
  ['SQL', `'); drop table tasks; --`],
  ['emoji and every direction', '👩‍👩‍👧 \u202eabc\u202c שלום \u0007'],
  ['names that JavaScript uses itself', JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}')],
  ['an empty name', { '': { '': [] } }],
  ['deep nesting', JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`)],
]

describe('a payload', () => {
  test.for(hostile)('is stored exactly: %s', async ([, payload], { engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', payload, meta: { copy: payload } })

    const task = await engine.claimOne('mail')
    await engine.complete(task, payload)

    expect(JSON.stringify(task.payload)).toBe(JSON.stringify(payload))
    expect(await engine.task(id)).toMatchObject({
      payload,
      output: payload,
      meta: { copy: payload },
    })
  })

  test('of a megabyte is stored exactly where the queue takes it', async ({ engine }) => {
    await engine.setQueue('mail', { max_payload: 2_000_000 })
    const payload = { text: 'é'.repeat(500_000) }

    await engine.enqueue({ queue: 'mail', payload })

    expect(await engine.claimOne('mail')).toMatchObject({ payload })
  })

  test('above the limit is refused, with its size and the limit', async ({ engine }) => {
    const large = engine.enqueue({ queue: 'mail', payload: 'x'.repeat(300_000) })

    await expect(large).rejects.toMatchObject({
      code: 'payload_too_large',
      message: expect.stringMatching(/has 3000\d\d bytes, queue mail takes 262144/),
      hint: expect.stringContaining('max_payload'),
    })
    expect(await engine.rows('select from tasks')).toEqual([])
  })

  test('above the limit is named by its place in a bulk', async ({ engine }) => {
    await engine.setQueue('small', { max_payload: 100 })
    const text = 'x'.repeat(200)

    const bulk = engine.enqueueMany([
      { queue: 'mail', payload: text },
      { queue: 'small', payload: text },
    ])

    await expect(bulk).rejects.toMatchObject({
      code: 'payload_too_large',
      message: expect.stringMatching(
        /^the payload of task 2 has 2\d\d bytes, queue small takes 100$/,
      ),
    })
    expect(await engine.rows('select from tasks')).toEqual([])
  })

  test.for([
    ['the character NUL', 'a\u0000b'],
    ['half a character', 'a\ud800b'],
    ['NUL in a name', { 'a\u0000': 1 }],
  ] as const)('is refused cleanly when it holds %s', async ([, payload], { engine }) => {
    await expect(engine.enqueue({ queue: 'mail', payload })).rejects.toMatchObject({
      // The client names the payload, Postgres the argument.
      code: expect.stringMatching(/^invalid_(argument|payload)$/),
      hint: expect.any(String),
    })

    expect(await engine.rows('select from tasks')).toEqual([])
  })

  test('that a worker cannot give back leaves the task with the worker', async ({ engine }) => {
    const task = await engine.running()

    await expect(engine.complete(task, 'a\u0000b')).rejects.toMatchObject({
      code: 'invalid_argument',
    })

    await engine.fail(task, { message: 'output was not JSON' })
    expect(await engine.task(task.id)).toMatchObject({ state: 'retrying' })
  })
})
