import { describe, expect } from 'vitest'
import { test } from '../support/cli.ts'

const card = { id: 'worker-1', queues: ['mail'], slots: 4, host: 'desk', pid: 7, version: '1.0.0' }

describe('tusk worker', () => {
  test('lists workers and drains one by the start of its id', async ({
    engine,
    run,
    json,
    type,
  }) => {
    await engine.registerWorker(card)

    expect(await json('worker', 'list')).toMatchObject([{ id: 'worker-1', host: 'desk', tasks: 0 }])
    expect((await type(['worker', 'list'])).data).toMatch(
      /\nworker-1 │ awake │ desk │ +7 │ +0\/4 │/,
    )
    expect((await run('worker', 'drain', 'work')).talk).toBe(
      'Worker worker-1 claims no more tasks.\n',
    )
    expect(await json('worker', 'list')).toMatchObject([{ draining_at: expect.any(String) }])
    expect(await json('audit', 'list')).toMatchObject([{ action: 'drain_worker', door: 'cli' }])
    expect(await run('worker', 'drain', 'wroker-1')).toMatchObject({
      code: 3,
      talk: expect.stringContaining('Did you mean worker-1?'),
    })
  })

  test.for([
    ['nothing', '', 3, 'there is no worker'],
    ['what the ids of two begin with', 'worker', 2, 'the ids of 2 workers begin with worker'],
  ] as const)(
    'drains none that is named by %s',
    async ([, name, code, said], { engine, run, db }) => {
      await engine.registerWorker(card)
      if (name !== '') await engine.registerWorker({ ...card, id: 'worker-2' })

      expect(await run('worker', 'drain', name)).toMatchObject({
        code,
        data: '',
        talk: expect.stringContaining(said),
      })
      const { rows } = await db.query('select from workers where draining_at is not null')
      expect(rows).toEqual([])
    },
  )
})

describe('tusk chore', () => {
  test('lists chores with their leaders, and asks one to resign', async ({
    engine,
    run,
    json,
    type,
  }) => {
    await engine.registerWorker(card)
    const sweep = { name: 'sweep', strategy: 'lease', everyMs: 60_000, timeoutMs: 60_000 } as const
    await engine.registerChores(card.id, [{ ...sweep, ttlMs: 30_000 }], true)
    await engine.leadChores(card.id, [{ chore: 'sweep', term: null }])

    expect(await json('chore', 'list')).toMatchObject([
      { chore: 'sweep', is_led: true, leaders: [{ worker: 'worker-1', host: 'desk' }] },
    ])
    expect((await type(['chore', 'list'])).data).toMatch(/\nsweep +│ lease +│ desk +│/)
    expect(await run('chore', 'resign', 'sweep')).toMatchObject({ code: 0, data: 'worker-1\n' })
    expect(await run('chore', 'resign', 'swep')).toMatchObject({
      code: 3,
      talk: expect.stringContaining('Did you mean sweep?'),
    })
  })
})

describe('tusk token', () => {
  test('makes one, shows it once, lists and revokes it', async ({ run, json, type, db }) => {
    const made = await run(
      ...['token', 'create', 'web shop', '--scope', 'enqueue:mail', '--scope', 'read'],
      ...['--expires-in', '90'],
    )
    expect(made).toMatchObject({ code: 0, data: expect.stringMatching(/^tusk_\w{8}_[\w-]{43}\n$/) })
    expect(made.talk).toMatch(/^Token (\d+) created\. /)
    const [, id = ''] = /^Token (\d+)/.exec(made.talk) ?? []

    const listed = await run('token', 'list')
    expect(JSON.parse(listed.data)).toMatchObject([
      { id, name: 'web shop', scopes: ['enqueue:mail', 'read'], state: 'alive' },
    ])
    expect(listed.data).not.toContain(made.data.trim().slice('tusk_12345678_'.length))
    expect((await type(['token', 'list'])).data).toMatch(/web shop │ tusk_\w{8}_ │ .*│ alive/)
    expect((await run('token', 'revoke', id)).code).toBe(2)
    expect((await run('token', 'revoke', id, '--dry-run')).data).toContain('web shop')
    const { rows } = await db.query<{ revoked_at: Date | null }>('select revoked_at from tokens')
    expect(rows).toEqual([{ revoked_at: null }])
    await db.query(
      `select set_config('tusk.caller', $1, true), set_schedule('report', '{"task": {"queue": "a"}, "every": "1 hour"}')`,
      [JSON.stringify({ actor: 'ada', token: id })],
    )
    expect(await run('token', 'revoke', id, '--yes')).toMatchObject({
      code: 0,
      talk: expect.stringContaining('Schedules set with it that are paused now: 1'),
    })
    expect((await run('schedule', 'show', 'report')).data).toContain('which set it, was revoked')
    expect(await json('token', 'list')).toMatchObject([{ state: 'revoked' }])
    expect(JSON.stringify(await json('audit', 'list'))).not.toContain(made.data.trim())
  })

  test.for([
    ['a scope that there is not', ['create', 'a', '--scope', 'reed'], 2, /reed/],
    ['a token without scopes', ['create', 'a'], 2, /--scope/],
    [
      'more days than there are',
      ['create', 'a', '--scope', 'read', '--expires-in', '1e9'],
      2,
      /1000000/,
    ],
    ['a token that is not there', ['revoke', '999', '--yes'], 3, /999/],
    [
      'two ends',
      ['create', 'a', '--scope', 'read', '--expires-in', '1', '--expires-at', '2030-01-01'],
      2,
      /not both/,
    ],
  ] as const)('refuses %s', async ([, args, code, said], { run }) => {
    const answer = await run('token', ...args)

    expect(answer).toMatchObject({ code, data: '', talk: expect.stringMatching(/^tusk: /) })
    expect(answer.talk).toMatch(said)
  })
})

describe('tusk audit', () => {
  test('lists what was done, by whom and to what, a page at a time', async ({
    run,
    json,
    type,
  }) => {
    for (const queue of ['mail', 'reports']) await run('task', 'add', queue)
    await run('queue', 'pause', 'mail')
    await run('queue', 'resume', 'mail')
    await run('queue', 'pause', 'reports')

    expect(await json('audit', 'list', '--object', 'queue mail')).toMatchObject([
      { action: 'resume', object: 'queue mail', door: 'cli' },
      { action: 'pause', object: 'queue mail', door: 'cli' },
    ])
    expect(await json('audit', 'list', '--action', 'pause')).toHaveLength(2)
    const first = await run('audit', 'list', '-n', '2')
    const [, before = ''] = /--before (\d+)/.exec(first.talk) ?? []
    expect(await json('audit', 'list', '--before', before)).toHaveLength(1)
    expect((await type(['audit', 'list'])).data).toMatch(/│ cli +│ pause +│ queue reports/)
  })
})

describe('tusk stats', () => {
  test('tells how things stand, once', async ({ engine, json, type }) => {
    await engine.registerWorker(card)
    await engine.enqueue({ queue: 'mail' })

    expect(await json('stats')).toMatchObject({
      totals: { running: 0, due: 1, later: 0, asleep: 0 },
      queues: [{ queue: 'mail' }],
      workers: 1,
      slots: 4,
    })
    expect((await type(['stats'])).data).toMatch(
      /^0 running, 1 due, 0 later, 0 asleep · 1 worker, 4 slots · \d{4}-.*\n\nqueue │/,
    )
  })

  test('gives a line of JSON each time with --watch in a pipe', async ({ run }) => {
    const { code, data } = await run('stats', '--watch', '1', '--times', '1')

    expect(code).toBe(0)
    expect(data.trim().split('\n')).toHaveLength(1)
    expect(JSON.parse(data)).toMatchObject({ totals: { due: 0 }, queues: [] })
  })

  test('refuses a pause that no timer keeps, instead of making none', async ({ run }) => {
    const { code, data, talk } = await run('stats', '--watch', '9999999', '--times', '2')

    expect({ code, data }).toEqual({ code: 2, data: '' })
    expect(talk).toMatch(/--watch .* It is a whole number from 1 to 86400\.$/m)
  })

  test('refuses --times without --watch', async ({ run }) => {
    expect(await run('stats', '--times', '2')).toMatchObject({
      code: 2,
      data: '',
      talk: expect.stringContaining('--times is for --watch'),
    })
  })

  test('draws over the screen of a terminal', async ({ type }) => {
    const { data } = await type(['stats', '--watch', '1', '--times', '2'])

    expect(data.split('\x1b[H\x1b[2J').length).toBe(3)
    expect(data).toContain('done a second')
  })
})

describe('tusk operation', () => {
  test('lists and shows what was done to many, and stops what goes on', async ({
    engine,
    run,
    json,
    type,
  }) => {
    await engine.inState('queued')
    await run('task', 'cancel', '--query', 'queue:mail', '--yes')
    const id = await engine.startOperation('retry', { queue: 'mail' })

    expect(await json('operation', 'list')).toMatchObject([
      { id, action: 'retry', state: 'running' },
      { action: 'cancel', state: 'done', done: 1 },
    ])
    expect((await type(['operation', 'list'])).data).toMatch(/│ cancel +│ done +│ +100 % │/)
    expect((await type(['operation', 'show', id])).data).toMatch(/^action +retry$/m)
    expect((await run('operation', 'cancel', id)).talk).toBe(`Operation ${id} is cancelled.\n`)
    expect(await json('operation', 'show', id)).toMatchObject({ state: 'cancelled' })
    expect(await run('operation', 'show', '999')).toMatchObject({
      code: 3,
      talk: expect.stringContaining('there is no operation 999'),
    })
    expect((await run('operation', 'cancel', '999')).code).toBe(3)
  })
})
