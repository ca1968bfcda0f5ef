import { describe, expect } from 'vitest'
import { durableVerbs } from '../support/durable.ts'
import { test } from '../support/engine.ts'

describe('suspend', () => {
  test('gives the claim back and waits for a signal', async ({ engine }) => {
    const { suspend } = durableVerbs(engine)
    const task = await engine.running()

    expect(await suspend(task, { kind: 'signal', name: 'paid' })).toEqual([])

    expect(await engine.task(task.id)).toMatchObject({
      state: 'waiting',
      claim: null,
      attempt: 0,
      waits: { signals: ['paid'], steps: ['paid'] },
    })
    expect(await engine.rows('select from claims')).toEqual([])
    expect(await engine.claim('mail')).toEqual([])
  })

  test('is explained by what it waits for', async ({ engine }) => {
    const { suspend } = durableVerbs(engine)
    const task = await engine.running()
    await suspend(task, { kind: 'signal', name: 'paid' })

    expect(await engine.rows('select code, message, hint from explain($1)', task.id)).toEqual([
      {
        code: 'waiting',
        message: 'waits for the signal paid',
        hint: `Send it with signal(${task.id}, 'paid'), or cancel the task.`,
      },
    ])
  })

  test('gives back the slots of its groups and of its queue', async ({ engine }) => {
    const { suspend } = durableVerbs(engine)
    await engine.setGroup('ada', { max_running: 1 })
    await engine.setQueue('mail', { max_running: 1 })
    const task = await engine.running({ groups: ['ada'] })
    const { id: next } = await engine.enqueue({ queue: 'mail', groups: ['ada'] })
    expect(await engine.claim('mail')).toEqual([])

    await suspend(task, { kind: 'signal', name: 'paid' })

    expect(await engine.claimOne('mail')).toMatchObject({ id: next })
    expect(await engine.rows(`select name, running from groups order by name`)).toEqual([
      { name: '@mail', running: 1 },
      { name: 'ada', running: 1 },
    ])
  })

  test('is woken by its signal, which it receives once', async ({ engine }) => {
    const { suspend, signal } = durableVerbs(engine)
    const task = await engine.running()
    await suspend(task, { kind: 'signal', name: 'paid' })

    await signal(task.id, 'other')
    expect(await engine.task(task.id)).toMatchObject({ state: 'waiting' })
    await signal(task.id, 'paid', { by: 'ada' })

    const again = await engine.claimOne('mail')
    expect(again).toMatchObject({ id: task.id, attempt: 1 })
    const paid = { name: 'paid', state: 'done', output: { by: 'ada' } }
    expect(await suspend(again, { kind: 'signal', name: 'paid' })).toMatchObject([paid])
    expect(await engine.rows(`select name from signals`)).toEqual([{ name: 'other' }])
    expect(await suspend(again, { kind: 'signal', name: 'paid' })).toMatchObject([paid])
  })

  test('receives signals that came before, in their order', async ({ engine }) => {
    const { suspend, signal } = durableVerbs(engine)
    const { id } = await engine.enqueue({ queue: 'mail' })
    for (const n of [1, 2]) await signal(id, 'paid', n)
    const task = await engine.claimOne('mail')

    expect(await suspend(task, { kind: 'signal', name: 'first', signal: 'paid' })).toMatchObject([
      { name: 'first', output: 1 },
    ])
    expect(await suspend(task, { kind: 'signal', name: 'second', signal: 'paid' })).toMatchObject([
      { name: 'second', output: 2 },
    ])
    expect(await engine.task(id)).toMatchObject({ state: 'running' })
  })

  test('receives a signal that was sent to its key before it existed', async ({ engine }) => {
    const { suspend, signalKey } = durableVerbs(engine)
    await signalKey('mail', 'order 17', 'paid', 'early')
    const task = await engine.running({ key: 'order 17' })

    expect(await suspend(task, { kind: 'signal', name: 'paid' })).toMatchObject([
      { state: 'done', output: 'early' },
    ])
  })

  test('is woken by a signal to its key', async ({ engine }) => {
    const { suspend, signalKey } = durableVerbs(engine)
    const task = await engine.running({ key: 'order 17' })
    await suspend(task, { kind: 'signal', name: 'paid' })

    await signalKey('mail', 'order 17', 'paid')

    expect(await engine.claimOne('mail')).toMatchObject({ id: task.id })
  })

  test('gives up on a signal when its time is over', async ({ engine }) => {
    const { suspend } = durableVerbs(engine)
    const task = await engine.running()
    await suspend(task, { kind: 'signal', name: 'paid', for: '1 day' })
    expect(await engine.claim('mail')).toEqual([])

    await engine.pass('1 day')

    const again = await engine.claimOne('mail')
    expect(await suspend(again, { kind: 'signal', name: 'paid', for: '1 day' })).toMatchObject([
      { name: 'paid', state: 'done', output: null },
    ])
  })

  test('is due again by time alone after a delay', async ({ engine }) => {
    const { suspend } = durableVerbs(engine)
    const task = await engine.running()
    await suspend(task, { kind: 'delay', name: 'cool down', for: '2 hours' })

    await engine.pass('1 hour')
    expect(await engine.claim('mail')).toEqual([])
    await engine.pass('1 hour')

    const again = await engine.claimOne('mail')
    expect(
      await suspend(again, { kind: 'delay', name: 'cool down', for: '2 hours' }),
    ).toMatchObject([{ name: 'cool down', kind: 'delay', state: 'done' }])
  })

  test('rejects a claim that was lost', async ({ engine }) => {
    const { suspend, save } = durableVerbs(engine)
    const task = await engine.running()
    await engine.pass('1 minute')
    await engine.rescue()

    await expect(suspend(task, { kind: 'delay', name: 'x', for: '1 s' })).rejects.toMatchObject({
      code: 'lease_lost',
    })
    expect(await save(task, 'charge', 1)).toEqual([{ save_steps: task.id }])
    expect(await engine.rows('select from steps')).toEqual([])
  })

  test.for([
    [[], 'needs what the task waits for'],
    [[{ kind: 'sun' }], 'its kind must be'],
    [[{ kind: 'signal', name: '' }], 'its name must have'],
    [[{ kind: 'delay', name: 'x' }], 'it needs "for" or "until"'],
    [[{ kind: 'delay', name: 'x', for: 'soon' }], 'invalid input syntax'],
    [[{ kind: 'delay', name: 'x', until: 'infinity' }], 'must be a finite time'],
    [[{ kind: 'children', children: [] }], 'it names no children'],
    [[{ kind: 'children', children: ['x'] }], 'has no child'],
    [[{ kind: 'children', children: ['x'], mode: 'most' }], 'its mode must be'],
  ] as const)('rejects %j', async ([waits, message], { engine }) => {
    const { suspend } = durableVerbs(engine)
    const task = await engine.running()

    await expect(suspend(task, ...waits)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(message),
    })
    expect(await engine.task(task.id)).toMatchObject({ state: 'running' })
    expect(await engine.rows('select from steps')).toEqual([])
  })

  test('rejects a name that another kind of step has', async ({ engine }) => {
    const { suspend, save } = durableVerbs(engine)
    const task = await engine.running()
    await save(task, 'paid')

    await expect(suspend(task, { kind: 'signal', name: 'paid' })).rejects.toMatchObject({
      message: expect.stringContaining('uses the name'),
    })
  })

  test.for(['done', 'failed', 'cancelled'] as const)(
    'rejects a signal to a task that is %s, and one that is gone',
    async (state, { engine }) => {
      const { signal } = durableVerbs(engine)
      const { id } = await engine.inState(state)

      await expect(signal(id, 'paid')).rejects.toMatchObject({ code: 'wrong_state' })
      await expect(signal('999999', 'paid')).rejects.toMatchObject({ code: 'task_not_found' })
      expect(await engine.rows('select from signals')).toEqual([])
    },
  )

  test('can be cancelled, deleted, expired and amended, and not moved', async ({ engine }) => {
    const { suspend } = durableVerbs(engine)
    const tasks = []
    for (let n = 0; n < 3; n++) {
      const task = await engine.running({ deadline: new Date(Date.now() + 3_600_000) })
      await suspend(task, { kind: 'signal', name: 'paid' })
      tasks.push(task.id)
    }
    const [one = '', two = '', three = ''] = tasks

    await expect(engine.move(one, new Date())).rejects.toMatchObject({ code: 'wrong_state' })
    await expect(engine.amend(one, { run_at: new Date().toJSON() })).rejects.toMatchObject({
      code: 'wrong_state',
    })
    await engine.amend(one, { priority: 5 })
    expect(await engine.task(one)).toMatchObject({ state: 'waiting', priority: 5 })
    await engine.cancel(one)
    expect(await engine.task(one)).toMatchObject({ state: 'cancelled' })
    await engine.delete(two)
    expect(await engine.rows('select from steps where task = $1', two)).toEqual([])
    await engine.pass('2 hours', three)
    await engine.rows('select expire()')
    expect(await engine.task(three)).toMatchObject({ state: 'failed', reason: 'expired' })
  })
})
