import { describe, expect, inject } from 'vitest'
import { test, tusk } from '../support/cli.ts'

const stateOf = 'select state from task where id = $1'

describe('what people do with tasks by id', () => {
  test('cancel, retry, move, amend and delete do it and say so', async ({ engine, run }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })

    const cancelled = await run('task', 'cancel', id)
    const retried = await run('task', 'retry', id, '--payload', '{"to": "bob"}')
    const moved = await run('task', 'move', id, '--at', '2030-01-01')
    const amended = await run('task', 'amend', id, '--priority', '7', '--tag', 'x')

    expect(cancelled.talk).toBe(`Task ${id} is cancelled.\n`)
    expect(JSON.parse(cancelled.data)).toEqual([{ id, outcome: 'done', code: null, message: null }])
    expect([retried, moved, amended].map(({ code }) => code)).toEqual([0, 0, 0])
    expect(await engine.task(id)).toMatchObject({
      state: 'scheduled',
      run_at: new Date('2030-01-01'),
      priority: 7,
      tags: ['x'],
      payload: { to: 'bob' },
    })
    expect(await run('task', 'delete', id, '--yes')).toMatchObject({
      code: 0,
      talk: `Task ${id} is deleted.\n`,
    })
    expect(await engine.task(id)).toBeNull()
  })

  test('kill gives up what runs, and refuses what waits', async ({ engine, run }) => {
    const { id } = await engine.running({ maxAttempts: 9 })
    const { id: waiting } = await engine.enqueue({ queue: 'mail' })

    const killed = await run('task', 'kill', id)
    const refused = await run('task', 'kill', waiting)

    expect(killed).toMatchObject({ code: 0, talk: `Task ${id} is killed.\n` })
    expect(await engine.task(id)).toMatchObject({ state: 'failed', reason: 'killed' })
    expect(refused).toMatchObject({
      code: 4,
      talk: expect.stringContaining('Only a task that is running can be killed.'),
    })
  })

  test('kill by a query means what runs', async ({ engine, run }) => {
    const { id } = await engine.running()
    const { id: waiting } = await engine.enqueue({ queue: 'mail' })

    const killed = await run('task', 'kill', '--query', 'queue:mail', '--yes')

    expect(killed).toMatchObject({ code: 0, talk: expect.stringContaining('1 task') })
    expect(await engine.task(id)).toMatchObject({ state: 'failed', reason: 'killed' })
    expect(await engine.value(stateOf, waiting)).toBe('ready')
  })

  test('does what it can, tells what refused, and ends with its code', async ({ engine, run }) => {
    const ended = await engine.inState('done')
    const { id } = await engine.enqueue({ queue: 'mail' })

    const conflict = await run('task', 'cancel', ended.id, id)
    const missing = await run('task', 'cancel', '999999')

    expect(conflict.code).toBe(4)
    expect(JSON.parse(conflict.data)).toMatchObject([
      { id: ended.id, outcome: 'refused', code: 'wrong_state' },
      { id, outcome: 'done' },
    ])
    expect(await engine.value(stateOf, id)).toBe('cancelled')
    expect(missing).toMatchObject({ code: 3, talk: expect.stringMatching(/^tusk: .*999999/) })
  })

  test('asks before it deletes, and refuses where there is no terminal', async ({
    engine,
    run,
    type,
  }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })

    expect(await run('task', 'delete', id)).toMatchObject({
      code: 2,
      data: '',
      talk: expect.stringMatching(/^tusk: this deletes 1 task, .*\n.*--yes.*--dry-run/),
    })
    const no = await type(['task', 'delete', id], 'n')
    expect(no).toMatchObject({ code: 1, asked: ['This deletes 1 task. Go on? [y/N] '] })
    expect(no.talk).toBe('Nothing was changed.\n')
    expect((await run('task', 'delete', id, '--dry-run')).talk).toContain('Nothing was changed')
    expect(await engine.value(stateOf, id)).toBe('ready')

    expect((await type(['task', 'delete', id], 'y')).code).toBe(0)
    expect(await engine.task(id)).toBeNull()
  })

  test.for([
    ['neither ids nor a query', ['cancel'], /ids, or find them with --query/],
    ['both ids and a query', ['cancel', '1', '--query', 'queue:mail'], /ids, or find them/],
    ['what is not an id', ['cancel', 'x'], /whole number/],
    ['a move without a time', ['move', '1'], /--at/],
    ['an amendment of nothing', ['amend', '1'], /no change is given/],
    ['changes that are not an object', ['amend', '1', '--set', '[]'], /a JSON object/],
    ['a payload for many', ['retry', '--query', 'queue:a', '--payload', '1'], /named by their ids/],
    ['an empty query', ['delete', '--query', ' ', '--yes'], /would match every task.*\n.*state:/],
    ['an unknown change', ['amend', '1', '--set', '{"prio": 1}'], /prio/],
  ] as const)('refuses %s with 2', async ([, args, said], { run }) => {
    const answer = await run('task', ...args)

    expect(answer).toMatchObject({ code: 2, talk: expect.stringMatching(/^tusk: /) })
    expect(answer.talk).toMatch(said)
  })
})

describe('what people do with all tasks of a query', () => {
  test('counts, asks and does it, page by page', async ({ engine, type, json }) => {
    await engine.rows(`select enqueue('mail') from generate_series(1, 1200)`)
    await engine.enqueue({ queue: 'reports' })

    const { code, asked, talk, data } = await type(
      ['task', 'cancel', '--query', 'queue:mail'],
      'yes',
    )

    expect({ code, data }).toEqual({ code: 0, data: '' })
    expect(asked).toEqual(['This cancels 1,200 tasks. Go on? [y/N] '])
    expect(talk).toMatch(/Cancelling ━+─* \d+ % · [\d,]+ of 1,200/)
    expect(talk).toMatch(/1,200 tasks done\.\n$/)
    const query = `select queue, state, count(*)::integer as n from task group by 1, 2 order by 1`
    expect(await engine.rows(query)).toEqual([
      { queue: 'mail', state: 'cancelled', n: 1200 },
      { queue: 'reports', state: 'ready', n: 1 },
    ])
    expect(await json('task', 'retry', '--query', 'queue:mail', '--yes')).toMatchObject({
      action: 'retry',
      state: 'done',
      matched: 1200,
      done: 1200,
      refused: 0,
    })
  })

  test('shows with a dry run what it would be done to, and changes nothing', async ({
    engine,
    json,
    run,
  }) => {
    await engine.rows(`select enqueue('mail') from generate_series(1, 12)`)
    const before = await engine.rows('select * from tasks order by id')

    for (const verb of ['cancel', 'delete'])
      expect(await json('task', verb, '--query', 'queue:mail', '--dry-run')).toMatchObject({
        dry_run: true,
        matched: 12,
        exact: true,
        tasks: { length: 10 },
      })
    const move = ['move', '--query', 'queue:mail', '--at', '2030-01-01']
    expect((await run('task', ...move, '--dry-run')).talk).toContain('moves 12 tasks')

    expect(await engine.rows('select * from tasks order by id')).toEqual(before)
    expect(await engine.value('select count(*)::integer from audit')).toBe(0)
  })

  test('ends where it is on Ctrl-C', async ({ engine, schema }) => {
    await engine.rows(`select enqueue('mail') from generate_series(1, 1600)`)
    const args = ['task', 'cancel', '--query', 'queue:mail', '--yes']
    const env = { DATABASE_URL: inject('pgUrl'), TUSK_SCHEMA: schema }

    const { code, data, talk } = await tusk(args, env, () => Promise.resolve())

    expect(code).toBe(1)
    const { state, done } = JSON.parse(data) as { state: string; done: number }
    expect({ state, isHalfDone: done < 1600 }).toEqual({ state: 'cancelled', isHalfDone: true })
    expect(talk).toContain('It was cancelled.')
  })

  test('needs --yes where there is no terminal', async ({ engine, run }) => {
    await engine.enqueue({ queue: 'mail' })

    expect(await run('task', 'cancel', '--query', 'queue:mail')).toMatchObject({
      code: 2,
      data: '',
      talk: expect.stringContaining('this cancels 1 task'),
    })
    expect(await engine.value('select state from task')).toBe('ready')
  })

  test('means only tasks that the verb is for, unless states are named', async ({
    engine,
    json,
  }) => {
    await engine.inState('done')
    await engine.inState('failed')

    expect(await json('task', 'retry', '--query', 'queue:mail', '--dry-run')).toMatchObject({
      matched: 1,
    })
    expect(await json('task', 'retry', '--query', 'state:done', '--dry-run')).toMatchObject({
      matched: 1,
      tasks: [{ state: 'done' }],
    })
  })

  test('is written down as what that person did', async ({ engine, run, json }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    await run('task', 'cancel', id)
    await run('task', 'delete', '--query', 'queue:mail', '--yes')

    const entries = await json('audit', 'list')
    expect(entries).toMatchObject([
      { action: 'end_operation', door: 'cli', after: { done: 1 } },
      { action: 'start_operation', door: 'cli' },
      { action: 'cancel', object: `task ${id}`, door: 'cli', actor: expect.stringMatching(/@/) },
    ])
  })
})
