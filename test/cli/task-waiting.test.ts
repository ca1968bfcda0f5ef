import { describe, expect, inject } from 'vitest'
import { test as base, type Said, tusk } from '../support/cli.ts'
import { until } from '../support/until.ts'

const test = base.extend<{ follow: (id: string) => { said: Promise<Said>; stop: () => void } }>({
  follow: async ({ db: _, schema }, use) => {
    const env = { DATABASE_URL: inject('pgUrl'), TUSK_SCHEMA: schema }
    await use((id) => {
      let stop = () => {}
      const stopRequested = () =>
        new Promise<void>((resolve) => {
          stop = resolve
        })
      const said = tusk(['task', 'logs', '-f', id], env, stopRequested)
      return { said, stop: () => stop() }
    })
  },
})

describe('tusk task wait', () => {
  test('gives how a task ended, with 0, 5 or 124', async ({ engine, run, type }) => {
    const done = await engine.inState('done')
    const failed = await engine.running()
    await engine.kill(failed, { message: 'no' })
    const cancelled = await engine.inState('cancelled')
    const { id } = await engine.enqueue({ queue: 'mail' })

    const ended = await run('task', 'wait', done.id)
    expect(ended.code).toBe(0)
    expect(JSON.parse(ended.data)).toMatchObject({ id: done.id, state: 'done', output: null })
    const broken = await run('task', 'wait', failed.id)
    expect(broken.code).toBe(5)
    expect(JSON.parse(broken.data)).toMatchObject({ state: 'failed', error: { message: 'no' } })
    expect(await type(['task', 'wait', failed.id])).toMatchObject({
      code: 5,
      data: '',
      talk: `tusk: task ${failed.id} failed (killed): no\n`,
    })
    expect((await run('task', 'wait', cancelled.id)).code).toBe(5)
    expect(await run('task', 'wait', id, '--timeout', '1')).toMatchObject({
      code: 124,
      data: '',
      talk: expect.stringContaining('did not end'),
    })
    expect((await run('task', 'wait', '999999')).code).toBe(3)
  })

  test('keeps what would move the cursor from a terminal', async ({ engine, type }) => {
    const done = await engine.running()
    await engine.complete(done, { said: 'red \u009b31m' })
    const failed = await engine.running()
    await engine.kill(failed, { message: 'gone \u001b[2J\u0007' })

    const { data } = await type(['task', 'wait', done.id])
    const { talk } = await type(['task', 'wait', failed.id])

    expect(data).toBe('{\n  "said": "red ·31m"\n}\n')
    expect(talk).toBe(`tusk: task ${failed.id} failed (killed): gone ·[2J·\n`)
  })

  test('task add waits as well', async ({ engine, run }) => {
    const waiting = run('task', 'add', 'mail', '--wait')
    await until(() => engine.value('select exists (select from tasks)'))
    await engine.complete(await engine.claimOne('mail'), { sent: true })

    const { code, data, talk } = await waiting
    expect(code).toBe(0)
    expect(talk).toMatch(/^Task \d+\n$/)
    expect(JSON.parse(data)).toMatchObject({ state: 'done', output: { sent: true } })
  })
})

describe('tusk task logs', () => {
  const line = (message: string) => ({ level: 'info', message, at: new Date(0) })

  test('prints what a task wrote', async ({ engine, run, json, type }) => {
    const task = await engine.running()
    await engine.log([{ ...task, ...line('hello\u001b[31m') }])

    expect(await json('task', 'logs', task.id)).toMatchObject([
      { attempt: 1, level: 'info', message: 'hello\u001b[31m' },
    ])
    expect((await type(['task', 'logs', task.id])).data).toBe(
      '1970-01-01T00:00:00.000Z info  [1] hello·[31m\n',
    )
    expect((await run('task', 'logs', '999999')).code).toBe(3)
  })

  test('follows until the task has ended, a line each', async ({ engine, follow }) => {
    const task = await engine.running()
    await engine.log([{ ...task, ...line('one') }])
    const { said } = follow(task.id)
    await engine.log([{ ...task, ...line('two') }])
    await engine.complete(task)

    const { code, data, talk } = await said
    expect(code).toBe(0)
    const messages = data
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text).message)
    expect(messages).toEqual(['one', 'two'])
    expect(talk).toBe(`Task ${task.id} is done.\n`)
  })
})
