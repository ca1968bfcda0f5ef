import { fileURLToPath } from 'node:url'
import { describe, expect } from 'vitest'
import { test } from '../support/cli.ts'

const mail = ['task', 'add', 'mail'] as const

describe('tusk task add', () => {
  test('enqueues a task and prints its id, also in a pipe', async ({ run, engine }) => {
    const { code, data, talk } = await run(
      ...[...mail, '--payload', '{"to": "ada"}', '--handler', 'send', '--priority', '-3'],
      ...['--key', 'ada', '--group', 'a', '--group', 'b', '--tag', 'x', '--attempts', '2'],
      ...['--delay', '1 hour', '--timeout', '5 minutes'],
    )

    expect({ code, talk }).toEqual({ code: 0, talk: '' })
    expect(data).toMatch(/^\d+\n$/)
    expect(await engine.task(data.trim())).toMatchObject({
      queue: 'mail',
      state: 'scheduled',
      handler: 'send',
      key: 'ada',
      groups: ['a', 'b'],
      tags: ['x'],
      priority: -3,
      max_attempts: 2,
      payload: { to: 'ada' },
    })
  })

  test('gives an object when asked for a format', async ({ json }) => {
    expect(await json(...mail, '-o', 'json')).toEqual({
      id: expect.stringMatching(/^\d+$/),
      outcome: 'created',
    })
  })

  test('takes null for a payload, and a payload from a file', async ({ run, engine }) => {
    const file = fileURLToPath(new URL('../../package.json', import.meta.url))

    const none = await run(...mail, '--payload', 'null')
    const read = await run(...mail, '--payload', `@${file}`)

    expect(await engine.task(none.data.trim())).toMatchObject({ payload: null })
    expect(await engine.task(read.data.trim())).toMatchObject({ payload: { name: 'pgtusk' } })
    expect((await run(...mail, '--payload', '@/no/such/file')).code).toBe(2)
  })

  test('says what became of a key that is taken', async ({ run }) => {
    const first = await run(...mail, '--key', 'ada')
    const second = await run(...mail, '--key', 'ada')

    expect(second).toMatchObject({ data: first.data, talk: expect.stringContaining('was kept') })
  })

  test.for([
    ['a payload that is not JSON', ['--payload', '{to}'], /It is not JSON/],
    [
      'a number that would lose digits',
      ['--payload', '[1e9, 12345678901234567890]'],
      /character 7/,
    ],
    ['a kind that there is not', ['--kind', 'documnt'], /Did you mean document\?/],
    ['an option that there is not', ['--paylod', '1'], /Did you mean --payload\?/],
    ['a span that Postgres cannot read', ['--delay', 'soon'], /soon/],
    ['a time without an offset', ['--at', '2026-01-01T00:00'], /an offset/],
    ['a parent that is not an id', ['--parent', 'abc'], /An id is a whole number/],
    ['a day that no month has', ['--at', '2026-02-30'], /2026-02-30' is invalid/],
  ] as const)('refuses %s with 2, and enqueues nothing', async ([, args, said], { run, json }) => {
    const answer = await run(...mail, ...args)

    expect(answer).toMatchObject({ code: 2, data: '', talk: expect.stringMatching(/^tusk: /) })
    expect(answer.talk).toMatch(said)
    expect(await json('task', 'list')).toEqual([])
  })
})

describe('tusk task list', () => {
  test('gives whole tasks, the newest first, as a query says', async ({ run, json }) => {
    await run(...mail, '--payload', '{"to": "ada"}')
    await run('task', 'add', 'reports', '--payload', '{"to": "bob"}')
    await run(...mail, '--payload', '{"to": "bob"}', '--delay', '1 day')

    expect(await json('task', 'list', 'queue:mail')).toMatchObject([
      { queue: 'mail', state: 'scheduled', payload: { to: 'bob' } },
      { queue: 'mail', state: 'ready', payload: { to: 'ada' } },
    ])
    expect(await json('task', 'list', '--query', 'state:ready bob')).toMatchObject([
      { queue: 'reports' },
    ])
    expect(await json('task', 'list', 'after:1h', 'state:ready,scheduled')).toHaveLength(3)
    expect(await json('task', 'list', 'before:1h')).toEqual([])
  })

  test('says where the next page begins', async ({ run, json }) => {
    for (let n = 0; n < 3; n += 1) await run(...mail)

    const first = await run('task', 'list', '-n', '2')
    const [, before] = /--before (\d+)/.exec(first.talk) ?? []

    expect(JSON.parse(first.data)).toHaveLength(2)
    expect(await json('task', 'list', '--before', before ?? '')).toHaveLength(1)
  })

  test('prints a table on a terminal, JSONL or CSV on request', async ({ run, type }) => {
    await run(...mail, '--payload', '{"to": "ada, \\"the\\" first"}', '--key', 'k')

    const { data } = await type(['task', 'list'])
    expect(data).toMatch(/^ *id │ state │ queue │ what │ attempt │ when +│ note\n─+┼/)
    expect(data).toMatch(/\n *\d+ │ ready │ mail +│ \[k\] +│ 0\/5 +│ \d+s ago │\n$/)
    const lines = (await run('task', 'list', '-o', 'jsonl')).data.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ queue: 'mail' }])
    const csv = (await run('task', 'list', '-o', 'csv')).data
    expect(csv).toMatch(/^id,state,/)
    expect(csv).toContain('"{""to"":""ada, \\""the\\"" first""}"')
  })

  test('says that nothing matches, as talk', async ({ run, type }) => {
    expect(await type(['task', 'list', 'queue:none'])).toMatchObject({
      code: 0,
      data: '',
      talk: 'No tasks match.\n',
    })
    expect(await run('task', 'list', 'queue:none', '--quiet')).toEqual({
      code: 0,
      data: '[]\n',
      talk: '',
    })
  })

  test.for([
    ['queu:mail', /Did you mean queue:\?/],
    ['state:faild', /Did you mean failed\?/],
    ['id:x', /whole number/],
  ] as const)('refuses %s with 2', async ([query, said], { run }) => {
    const answer = await run('task', 'list', query)

    expect(answer).toMatchObject({ code: 2, data: '' })
    expect(answer.talk).toMatch(said)
  })
})

describe('tusk task show', () => {
  test('tells all of a task, with the attempts that failed', async ({
    engine,
    run,
    json,
    type,
  }) => {
    const task = await engine.running({ payload: { to: 'ada' } })
    // Far from due: a busy machine takes longer for two commands than the first backoff lasts.
    await engine.fail(task, { message: 'no such host', code: 'E1' }, { delay: '1 hour' })
    const { id } = task

    expect(await json('task', 'show', id)).toMatchObject({
      id,
      state: 'retrying',
      attempts: [{ attempt: 1, reason: 'error', error: { message: 'no such host' } }],
    })
    const { data } = await type(['task', 'show', id])
    expect(data).toMatch(new RegExp(`^task +${id}\\nstate +retrying\\n`))
    expect(data).toContain('payload\n{\n  "to": "ada"\n}\n')
    expect(data).toMatch(
      /attempts that failed\nattempt │ .*\n.*\n +1 │ .*│ error +│ .*│ no such host/,
    )
    expect((await run('task', 'show', '999999')).code).toBe(3)
  })

  test('says why a task waits', async ({ engine, json, type }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })

    expect(await json('task', 'show', id)).toMatchObject({
      waiting: [{ code: 'no_worker', data: { queue: 'mail' } }],
    })
    expect((await type(['task', 'show', id])).data).toContain(
      'why it waits\nno worker serves queue mail. Start a worker',
    )
    expect((await type(['queue', 'show', 'mail'])).data).toContain(
      'why it waits\nno worker serves queue mail.',
    )
  })

  test('shows numbers with all their digits', async ({ engine, json, type }) => {
    const id = await engine.value<string>(
      `select id from enqueue('mail', '{"n": 12345678901234567890}')`,
    )

    expect((await type(['task', 'show', id])).data).toContain(
      '\npayload\n{"n": 12345678901234567890}\n',
    )
    expect(await json('task', 'show', id)).toMatchObject({
      payload_text: '{"n": 12345678901234567890}',
    })
  })

  test('keeps what would move the cursor from a terminal', async ({ engine, type }) => {
    const payload = { to: '\u001b[31mred\u009b' }
    const { id } = await engine.enqueue({ queue: 'mail', payload, key: 'a\u001bb' })

    const { data } = await type(['task', 'show', id])
    const list = await type(['task', 'list'])

    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
    expect(data + list.data).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  })

  test('refuses what is not an id with 2, and an id that does not exist with 3', async ({
    run,
  }) => {
    expect(await run('task', 'show', 'x')).toMatchObject({ code: 2, data: '' })
    expect(await run('task', 'show', '1')).toMatchObject({
      code: 3,
      data: '',
      talk: expect.stringMatching(/^tusk: there is no task 1\n.*retention/),
    })
  })
})
