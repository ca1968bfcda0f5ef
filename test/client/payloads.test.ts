import * as v from 'valibot'
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { parseTime } from '../../src/db/row-types.ts'
import { defineTask } from '../../src/tasks/define-task.ts'
import { test } from '../support/client.ts'

const cycle: Record<string, unknown> = {}
cycle['self'] = cycle

/** What JSON or Postgres cannot hold, and what is said about it. */
const unstorable = [
  ['a cycle', cycle, 'circular'],
  ['a BigInt', { n: 1n }, 'BigInt'],
  ['a function', { onEnd: () => {} }, 'its "onEnd" is a function'],
  ['a symbol', { name: Symbol('x') }, 'its "name" is a symbol'],
  ['the character NUL', { text: 'a\u0000b' }, 'NUL'],
  ['the character NUL in a name', { 'a\u0000b': 1 }, 'NUL'],
  ['half a character', { text: 'a\ud800b' }, 'lone surrogate'],
  ['the other half', { text: '\udc00' }, 'lone surrogate'],
] as const

describe('a payload that cannot be stored', () => {
  test.for(unstorable)('is refused before it is sent: %s', async ([, payload, why], { tusk }) => {
    const refused = tusk.enqueueTask({ queue: 'mail', payload })

    await expect(refused).rejects.toMatchObject({
      name: 'TuskError',
      code: 'invalid_payload',
      message: expect.stringContaining(why),
    })
  })

  test('spoils nothing for those it was enqueued with', async ({ tusk, engine }) => {
    const answers = await Promise.allSettled(
      [{}, cycle, { n: 1n }, 'x'.repeat(300_000), {}].map((payload) =>
        tusk.enqueueTask({ queue: 'mail', payload }),
      ),
    )

    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await engine.rows('select from task')).toHaveLength(2)
  })

  test.for([
    ['queue', { queue: 'ma\u0000il' }],
    ['key', { queue: 'mail', key: '\ud800' }],
    ['tag', { queue: 'mail', tags: ['fine', 'a\u0000'] }],
    ['group', { queue: 'mail', groups: ['\udfff'] }],
  ] as const)('has a like in text: a %s is refused too', async ([, task], { tusk }) => {
    await expect(tusk.enqueueTask(task)).rejects.toMatchObject({ code: 'invalid_argument' })
  })

  test('has a like in meta', async ({ tusk }) => {
    const refused = tusk.enqueueTask({ queue: 'mail', meta: { n: 1n as never } })

    await expect(refused).rejects.toMatchObject({ code: 'invalid_payload' })
  })

  test('has a like in times', async ({ tusk }) => {
    const refused = tusk.enqueueTask({ queue: 'mail', runAt: new Date('never') })

    await expect(refused).rejects.toMatchObject({ code: 'invalid_argument' })
  })

  // From those whom no compiler checks.
  test.for([
    ['no queue', {}],
    ['a number for a queue', { queue: 5 }],
    ['a number for a key', { queue: 'mail', key: 7 }],
    ['a number for a tag', { queue: 'mail', tags: [1] }],
    ['a text for groups', { queue: 'mail', groups: 'ab' }],
    ['a text for a time', { queue: 'mail', runAt: '2030-01-01' }],
  ] as const)(
    'has a like in what is of another type, and it fails alone: %s',
    async ([, task], { tusk }) => {
      const [good, bad] = await Promise.allSettled([
        tusk.enqueueTask({ queue: 'mail' }),
        tusk.enqueueTask(task as never),
      ])

      expect(good.status).toBe('fulfilled')
      expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'invalid_argument' } })
    },
  )
})

describe('a task with null for what it leaves out', () => {
  test('is as if it were left out', async ({ tusk }) => {
    const none = { key: null, handler: null, groups: null, tags: null, runAt: null, backoff: null }
    const task = { queue: 'mail', priority: null, timeout: null, ...none } as never

    const [one, two] = [await tusk.enqueueTask(task), await tusk.enqueueTask(task)]

    expect([one.outcome, two.outcome]).toEqual(['created', 'created'])
    expect(await tusk.tasks.get(one.id)).toMatchObject({
      ...{ key: null, handler: 'mail', groups: null, tags: null, state: 'ready' },
    })
  })
})

describe('a time that four digits do not tell', () => {
  test.for([
    '+010000-01-01T00:00:00.000Z',
    '+275760-09-13T00:00:00.000Z',
    '0000-06-01T00:00:00.000Z',
    '-000043-03-15T12:30:01.500Z',
  ])('goes there and comes back: %s', async (time, { tusk }) => {
    const runAt = new Date(time)
    const { id } = await tusk.enqueueTask({ queue: 'mail', runAt })

    expect((await tusk.tasks.get(id))?.runAt.toISOString()).toBe(time)
    const { tasks } = await tusk.tasks.list({ runAfter: new Date(runAt.getTime() - 1) })
    expect(tasks.map((task) => task.id)).toEqual([id])
  })

  test('is the last one there is, for what no Date can be', async ({ tusk, engine }) => {
    const id = await engine.value<string>(
      `select id from enqueue('mail', p_run_at => '294276-12-31', p_deadline => 'infinity')`,
    )

    const task = await tusk.tasks.get(id)

    expect(task?.runAt.getTime()).toBe(8.64e15)
    expect(task?.deadline?.getTime()).toBe(8.64e15)
  })

  test('may have an offset with seconds, as clocks once had', () => {
    expect(parseTime('1890-01-01 00:00:00.25+00:19:32').toISOString()).toBe(
      '1889-12-31T23:40:28.250Z',
    )
    expect(parseTime('1890-01-01 00:00:00-00:44:30').toISOString()).toBe('1890-01-01T00:44:30.000Z')
  })
})

describe('a payload as a text', () => {
  test('keeps every digit of its numbers', async ({ tusk, engine }) => {
    const payloadText = '{"n": 9007199254740993}'

    const { id } = await tusk.enqueueTask({ queue: 'mail', payloadText })

    expect(await engine.value('select payload::text from task where id = $1', id)).toBe(payloadText)
  })

  test.for([
    [{ payloadText: '{"n": ' }, 'invalid_payload', 'the payload is not JSON'],
    [{ payloadText: '{}', payload: {} }, 'invalid_argument', 'either payload or payloadText'],
    [{ payloadText: '1e999999' }, 'invalid_argument', 'Postgres cannot take it'],
  ] as const)('is refused if it is %j, alone', async ([given, code, words], { tusk, engine }) => {
    const [bad, good] = await Promise.allSettled([
      tusk.enqueueTask({ queue: 'mail', ...given }),
      tusk.enqueueTask({ queue: 'mail' }),
    ])

    expect(bad).toMatchObject({ reason: { code, message: expect.stringContaining(words) } })
    expect(good.status).toBe('fulfilled')
    expect(await engine.value('select count(*)::integer from task')).toBe(1)
  })

  test('is held to the schema of its task', async ({ open }) => {
    const mail = defineTask({ name: 'mail', schema: z.object({ to: z.string() }) })
    const tusk = await open({ tasks: [mail] })
    const payloadText = '{"to": 1}'

    await expect(tusk.enqueueTask({ queue: 'mail', payloadText })).rejects.toMatchObject({
      code: 'invalid_payload',
    })
  })
})

describe('a payload', () => {
  test.for([
    ['null', null],
    ['false', false],
    ['text that looks like an escape', 'a\\u0000b \\ud800'],
    ['emoji', { text: '👩‍👧 \u2028' }],
    ['names that JavaScript uses itself', JSON.parse('{"__proto__": 1, "constructor": 2}')],
  ] as const)('comes back as it was: %s', async ([, payload], { tusk }) => {
    const { id } = await tusk.enqueueTask({ queue: 'mail', payload })

    expect((await tusk.tasks.get(id))?.payload).toEqual(payload)
  })

  test('loses what is undefined, as JSON does', async ({ tusk }) => {
    const { id } = await tusk.enqueueTask({ queue: 'mail', payload: { a: undefined, b: 1 } })

    expect((await tusk.tasks.get(id))?.payload).toEqual({ b: 1 })
  })
})

const shapes = [
  [
    'zod',
    defineTask({
      name: 'send_mail',
      schema: z.object({
        to: z.string(),
        copies: z.array(z.object({ to: z.email() })).optional(),
        subject: z.string().default('Hello'),
      }),
    }),
  ],
  [
    'valibot',
    defineTask({
      name: 'send_mail',
      schema: v.object({
        to: v.string(),
        copies: v.optional(v.array(v.object({ to: v.pipe(v.string(), v.email()) }))),
        subject: v.optional(v.string(), 'Hello'),
      }),
    }),
  ],
] as const

describe.for(shapes)('a schema of %s', ([, sendMail]) => {
  test('lets a payload pass as it was given, defaults not filled in', async ({ open }) => {
    const tusk = await open({ tasks: [sendMail] })

    const { id } = await tusk.enqueue('send_mail', { to: 'ada' })

    expect((await tusk.tasks.get(id))?.payload).toEqual({ to: 'ada' })
  })

  test('refuses another shape, with path and reason', async ({ open, engine }) => {
    const tusk = await open({ tasks: [sendMail] })

    const refused = tusk.enqueue('send_mail', {
      to: 7 as never,
      copies: [{ to: 'ada@example.org' }, { to: 'nobody' }],
    })

    await expect(refused).rejects.toMatchObject({
      code: 'invalid_payload',
      message: expect.stringMatching(/payload\.to: .*[sS]tring.*payload\.copies\.1\.to: .*email/s),
    })
    expect(await engine.rows('select from tasks')).toEqual([])
  })

  test('holds for many at once, and for tasks that are enqueued without a name', async ({
    open,
  }) => {
    const tusk = await open({ tasks: [sendMail] })
    const bad = { to: 7 as never }

    await expect(tusk.enqueueMany([{ name: 'send_mail', payload: bad }])).rejects.toMatchObject({
      code: 'invalid_payload',
    })
    await expect(
      tusk.enqueueTask({ queue: 'mail', handler: 'send_mail', payload: bad }),
    ).rejects.toMatchObject({ code: 'invalid_payload' })
  })

  test('does not judge payloads of an older version', async ({ open }) => {
    const tusk = await open({ tasks: [{ ...sendMail, version: 2 }] })

    const older = tusk.enqueueTask({ queue: 'send_mail', payload: { address: 'ada' }, version: 1 })

    await expect(older).resolves.toMatchObject({ outcome: 'created' })
  })
})

describe('a schema', () => {
  test('sees what will be stored: a Date is a string by then', async ({ open }) => {
    const remind = defineTask({ name: 'remind', schema: z.object({ at: z.date() }) })
    const tusk = await open({ tasks: [remind] })

    await expect(tusk.enqueue('remind', { at: new Date() })).rejects.toMatchObject({
      code: 'invalid_payload',
      message: expect.stringContaining('payload.at'),
    })
  })
})
