import { describe, expect } from 'vitest'
import { test } from '../support/processes.ts'

const limit = 60_000

describe('SIGTERM', () => {
  test('lets the handler finish, and then ends the process', { timeout: limit }, async ({
    engine,
    spawnWorker,
  }) => {
    const { id } = await engine.enqueue({ queue: 'work', payload: { ms: 1_000 } })
    const worker = await spawnWorker()
    await worker.says('begin')

    worker.send('SIGTERM')

    expect(await worker.ended).toEqual({ code: null, signal: 'SIGTERM' })
    expect(await engine.task(id)).toMatchObject({ state: 'done', attempt: 1 })
    expect(await engine.rows('select id from worker')).toEqual([])
  })

  test('aborts the handler at the deadline, and gives the task back', { timeout: limit }, async ({
    engine,
    spawnWorker,
  }) => {
    const { id } = await engine.enqueue({ queue: 'work', payload: { ms: 600_000 } })
    const worker = await spawnWorker({ deadlineMs: 200 })
    await worker.says('begin')

    worker.send('SIGTERM')
    await worker.ended

    expect(worker.lines).toContain('aborted shutdown')
    expect(await engine.task(id)).toMatchObject({ state: 'ready', attempt: 0 })
  })

  test.for(['SIGTERM', 'SIGINT'] as const)(
    'and then %s ends the process at once, and the task is rescued later',
    {
      timeout: limit,
    },
    async (second, { engine, spawnWorker }) => {
      const { id } = await engine.enqueue({ queue: 'work', payload: { ms: 600_000 } })
      const worker = await spawnWorker()
      await worker.says('begin')

      worker.send('SIGTERM')
      await worker.says('the worker is stopping')
      worker.send(second)

      expect(await worker.ended).toEqual({ code: null, signal: second })
      expect(await engine.task(id)).toMatchObject({ state: 'running', attempt: 1 })
      await engine.pass('1 minute', id)
      await engine.rescue()
      expect(await engine.task(id)).toMatchObject({ state: 'ready' })
    },
  )
})
