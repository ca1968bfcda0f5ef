import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

const report = 'select progress($1, $2, $3)'
const write = `select log(array[$1::bigint], array[$2::bigint], '{warn}', array[$3])`

describe('progress', () => {
  test('is shown with the running task', async ({ engine }) => {
    const task = await engine.running()

    await engine.rows(report, task.id, task.claim, '{"percent": 40}')

    expect(await engine.task(task.id)).toMatchObject({ progress: { percent: 40 } })
  })

  test.for(['queued', 'done', 'failed', 'cancelled'] as const)(
    'is refused for a task that is %s',
    async (state, { engine }) => {
      const task = await engine.inState(state)

      await expect(engine.rows(report, task.id, task.claim, '1')).rejects.toMatchObject({
        code: 'lease_lost',
      })
    },
  )
})

describe('log', () => {
  test('keeps lines with the task, beyond its end', async ({ engine }) => {
    const task = await engine.running()

    await engine.rows(write, task.id, task.claim, 'half way')
    await engine.complete(task)

    expect(await engine.rows('select * from task_log')).toMatchObject([
      { task: task.id, attempt: 1, level: 'warn', message: 'half way', at: expect.any(Date) },
    ])
  })

  test.for(['queued', 'done', 'failed', 'cancelled', 'gone'] as const)(
    'drops the lines of a task that is %s',
    async (state, { engine }) => {
      const task = await engine.inState(state)

      await engine.rows(write, task.id, task.claim, 'too late')

      expect(await engine.rows('select from task_log')).toEqual([])
    },
  )

  test.for(['delete', 'sweep'] as const)('goes with the task by %s', async (verb, { engine }) => {
    const task = await engine.running()
    await engine.rows(write, task.id, task.claim, 'line')
    await engine.complete(task)

    if (verb === 'delete') await engine.delete(task.id)
    else await engine.pass('8 days').then(engine.sweep)

    expect(await engine.rows('select from task_log')).toEqual([])
  })

  test('keeps a thousand lines of a task and no more, also from one call', async ({ engine }) => {
    const task = await engine.running()
    const lines = Array.from({ length: 1_500 }, (_, line) => `line ${line}`)

    await engine.rows(
      'select log($1, $2, null, $3)',
      lines.map(() => task.id),
      lines.map(() => task.claim),
      lines,
    )

    expect(await engine.value('select count(*)::integer from task_log')).toBe(1_000)
    expect(await engine.value('select message from task_log order by at desc limit 1')).toBe(
      'line 999',
    )
  })

  test('goes on in later rounds, where the oldest lines of earlier ones give way', async ({
    engine,
  }) => {
    const say = (task: { id: string; claim: string }, round: number, many: number) =>
      engine.rows(
        'select log($1, $2, null, $3)',
        Array(many).fill(task.id),
        Array(many).fill(task.claim),
        Array.from({ length: many }, (_, line) => `${round}.${line}`),
      )
    const first = await engine.running()
    await say(first, 1, 1_500)
    await engine.reschedule(first, new Date(0))
    const second = await engine.claimOne('mail')

    await say(second, 2, 3)
    const kept = await engine.rows('select message from task_log order by id')
    await say(second, 2, 1_500)

    expect(kept).toHaveLength(503)
    expect([kept[0], kept.at(-1)]).toEqual([{ message: '1.500' }, { message: '2.2' }])
    const full = await engine.rows('select message from task_log order by id')
    expect(full).toHaveLength(1_000)
    expect(full[0]).toEqual({ message: '2.0' })
  })

  test('cuts a line that is too long', async ({ engine }) => {
    const task = await engine.running()

    await engine.rows(write, task.id, task.claim, 'x'.repeat(5_000))

    expect(await engine.value('select length(message) from task_log')).toBe(4_000)
  })
})

describe('watch', () => {
  test('answers with what a finished task gave back', async ({ engine }) => {
    const task = await engine.running()
    await engine.complete(task, { sent: true })

    expect(await engine.rows('select * from watch($1)', task.id)).toEqual([
      { state: 'done', reason: null, attempt: 1, output: { sent: true }, error: null },
    ])
  })

  test('answers with why a task failed', async ({ engine }) => {
    const task = await engine.running()
    await engine.kill(task, { message: 'nonsense' })

    expect(await engine.rows('select * from watch($1)', task.id)).toMatchObject([
      { state: 'failed', reason: 'killed', error: { message: 'nonsense' } },
    ])
  })

  test('tells a task that waits from one that runs', async ({ engine }) => {
    const running = await engine.inState('running')
    const queued = await engine.enqueue({ queue: 'mail' })

    expect(await engine.rows('select state from watch($1)', running.id)).toEqual([
      { state: 'running' },
    ])
    expect(await engine.rows('select state from watch($1)', queued.id)).toEqual([
      { state: 'queued' },
    ])
  })

  test.for(['done', 'failed', 'cancelled'] as const)(
    'rings once the task is %s',
    async (state, { engine, schema, connect }) => {
      const client = await connect()
      const rung = new Promise((resolve) => {
        client.on('notification', ({ payload }) => resolve(payload))
      })
      await client.query(`listen "${schema}:finished"`)
      const task = await engine.running()
      await engine.rows('select watch($1)', task.id)

      if (state === 'done') await engine.complete(task)
      if (state === 'failed') await engine.kill(task)
      if (state === 'cancelled') await engine.cancel(task.id)

      expect(await rung).toBe(task.id)
    },
  )

  test('rings also when the task ends while the watcher is still asking', async ({
    engine,
    schema,
    connect,
  }) => {
    const listener = await connect()
    const rung = new Promise((resolve) => listener.on('notification', resolve))
    await listener.query(`listen "${schema}:finished"`)
    const watcher = await connect()
    const task = await engine.running()
    await watcher.query('begin')
    await watcher.query('select watch($1)', [task.id])

    const completed = engine.complete(task)
    await watcher.query('commit')
    await completed

    expect(await rung).toMatchObject({ payload: task.id })
  })

  test('refuses a task that is gone', async ({ engine }) => {
    const { id } = await engine.inState('gone')

    await expect(engine.rows('select watch($1)', id)).rejects.toMatchObject({
      code: 'task_not_found',
    })
  })
})
