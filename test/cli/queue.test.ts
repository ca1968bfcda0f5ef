import { describe, expect } from 'vitest'
import { test } from '../support/cli.ts'

describe('tusk queue', () => {
  test('lists what waits and runs', async ({ engine, json, type }) => {
    await engine.rows(`select enqueue('mail') from generate_series(1, 3)`)
    await engine.claim('mail')

    expect(await json('queue', 'list')).toMatchObject([{ queue: 'mail', running: 1, due: 2 }])
    const { data } = await type(['queue', 'list'])
    expect(data).toMatch(/^queue │ state │ running │ due │ oldest due │ later │ asleep │ .*\n─/)
    expect(data).toMatch(/\nmail +│ open +│ +1 │ +2 │/)
  })

  test('grants rights, lists, revokes and removes them', async ({ run, json, engine, type }) => {
    const role = await engine.value<string>('select current_user::text')
    expect((await type(['queue', 'grants'])).talk).toContain('all are open')
    expect((await run('queue', 'grant', 'acme:*', role, 'enqueue', 'consume')).talk).toBe(
      `Role ${role} may now enqueue, consume acme:*.\n`,
    )
    expect(await json('queue', 'grants')).toMatchObject([
      { queue: 'acme:*', role, rights: ['consume', 'enqueue'] },
    ])

    expect((await run('queue', 'revoke', 'acme:*', role, 'consume')).talk).toContain('Revoked')
    expect((await run('queue', 'revoke', 'acme:*', role, 'consume')).talk).toContain(
      'no such right',
    )
    expect((await run('queue', 'open', 'acme:*')).code).toBe(2)
    expect((await run('queue', 'open', 'acme:*', '--dry-run')).data).toContain(role)
    expect((await run('queue', 'open', 'acme:*', '--yes')).code).toBe(0)
    expect(await json('queue', 'grants')).toEqual([])
    expect(await run('queue', 'grant', 'mail', 'no such role', 'enqueue')).toMatchObject({
      code: 2,
      talk: expect.stringContaining('there is no role'),
    })
    expect(await json('audit', 'list')).toMatchObject([
      { action: 'open_queue', door: 'cli' },
      { action: 'revoke_queue' },
      { action: 'grant_queue' },
    ])
  })

  test('sets, shows, pauses and resumes', async ({ run, json, engine, type }) => {
    const set = await json(
      ...['queue', 'set', 'mail', '--max-running', '10', '--keep-done', '1 day'],
      ...['--attempts', '3', '--rate', '100', '--rate-window', '1 minute', '--fair', 'on'],
      ...['--backoff', '{"kind": "fixed", "base": "1 minute"}'],
    )
    expect(set).toMatchObject({
      queue: 'mail',
      max_running: 10,
      keep_done: '1 day',
      max_attempts: 3,
      rate: 100,
      is_fair: true,
      backoff: { kind: 'fixed' },
    })
    expect((await run('queue', 'pause', 'mail')).talk).toBe('Queue mail is paused.\n')
    const { data } = await type(['queue', 'show', 'mail'])
    expect(data).toMatch(/^queue +mail\npaused +\d+s ago\n/)
    expect(data).toMatch(/\nmax running +10\n/)
    expect(data).toMatch(/\nis fair +yes\n/)
    expect(data).toMatch(/\non lost +retry +\(default\)\n/)
    expect((await run('queue', 'resume', 'mail')).talk).toBe('Queue mail is resumed.\n')

    await run('queue', 'set', 'mail', '--max-running', 'none', '--rate', 'none')
    expect(await engine.queue('mail')).toMatchObject({ max_running: null, rate: null })
    expect(await json('queue', 'show', '*')).toMatchObject({ queue: '*', max_attempts: 5 })
  })

  test('shows where each setting comes from', async ({ run, json, type }) => {
    await run('queue', 'set', '*', '--keep-done', '2 days')
    await run('queue', 'set', 'mail', '--attempts', '3')

    expect(await json('queue', 'show', 'mail')).toMatchObject({
      in_force: {
        max_attempts: { value: 3, source: 'queue' },
        keep_done: { value: '2 days', source: '*' },
        on_lost: { value: 'retry', source: 'default' },
      },
    })
    const { data } = await type(['queue', 'show', 'mail'])
    expect(data).toMatch(/\nmax attempts +3\n/)
    expect(data).toMatch(/\nkeep done +2 days {2}\(from queue \*\)\n/)
    expect(data).toMatch(/\non lost +retry {2}\(default\)\n/)
  })

  test('says which queue was probably meant, with 3', async ({ engine, run }) => {
    await engine.enqueue({ queue: 'reports' })

    expect(await run('queue', 'show', 'report')).toEqual({
      code: 3,
      data: '',
      talk: 'tusk: there is no queue report\nDid you mean reports?\n',
    })
  })

  test.for([
    ['nothing to set', ['set', 'mail'], /no setting is given/],
    ['a number that is none', ['set', 'mail', '--max-running', 'many'], /whole number/],
    ['a switch that is none', ['set', 'mail', '--fair', 'maybe'], /on or off/],
    ['a rule that there is not', ['set', 'mail', '--on-lost', 'retri'], /Did you mean retry\?/],
    ['a verb that there is not', ['stop', 'mail'], /unknown command 'stop'/],
    ['a span that cannot be read', ['set', 'mail', '--gap', 'long'], /long/],
  ] as const)('refuses %s with 2', async ([, args, said], { run }) => {
    const answer = await run('queue', ...args)

    expect(answer).toMatchObject({ code: 2, data: '', talk: expect.stringMatching(/^tusk: /) })
    expect(answer.talk).toMatch(said)
  })
})

describe('tusk group', () => {
  test('sets, lists, shows, pauses and resumes', async ({ run, json, type }) => {
    expect(
      await json('group', 'set', 'customer 42', '--max-running', '2', '--weight', '3'),
    ).toMatchObject({ group_name: 'customer 42', max_running: 2, weight: 3 })
    expect((await run('group', 'pause', 'customer 42')).talk).toBe('Group customer 42 is paused.\n')
    expect(await json('group', 'list')).toMatchObject([{ paused_at: expect.any(String) }])
    expect((await type(['group', 'list'])).data).toMatch(/\ncustomer 42 │ paused │ +0\/2 │/)
    expect((await type(['group', 'show', 'customer 42'])).data).toMatch(/max running +2\n/)
    expect((await run('group', 'resume', 'customer 42')).code).toBe(0)
    expect(await run('group', 'show', 'custmer 42')).toMatchObject({
      code: 3,
      talk: expect.stringContaining('Did you mean customer 42?'),
    })
    expect((await run('group', 'set', 'customer 42')).code).toBe(2)
  })
})
