import { describe, expect } from 'vitest'
import type { Held } from '../../src/engine/outcomes.ts'
import { test as base } from '../support/engine.ts'

type Beat = (held: Held[], started?: string[], state?: object) => Promise<string[]>

/** A registered worker, and its heartbeat. */
const test = base.extend<{ beat: Beat }>({
  beat: async ({ engine }, use) => {
    await engine.rows(`select register_worker('w1', '{mail}', 4, 'host', 1, '1.0')`)
    await use(async (held, started = [], state = {}) => {
      const [answer] = await engine.rows<{ lost: string[] }>(
        `select lost from heartbeat('w1', $1, $2, $3, '15 seconds', $4)`,
        held.map(({ id }) => id),
        held.map(({ claim }) => claim),
        started,
        JSON.stringify(state),
      )
      return answer?.lost ?? []
    })
  },
})

describe('heartbeat', () => {
  test('renews everything the worker holds', async ({ engine, beat }) => {
    const held = [await engine.running(), await engine.running()]
    await engine.pass('10 seconds')

    expect(await beat(held)).toEqual([])

    await engine.pass('10 seconds')
    expect(await engine.rescue()).toEqual([])
  })

  test('says that the worker lives, and what it is doing', async ({ engine, beat }) => {
    await engine.pass('50 seconds')

    await beat([], [], { memory: 12 })

    expect(await engine.rows('select * from forget_workers()')).toEqual([])
    expect(await engine.rows('select id, state from worker')).toEqual([
      { id: 'w1', state: { memory: 12 } },
    ])
  })

  test('marks what has started, apart from what waits in the buffer', async ({ engine, beat }) => {
    const started = await engine.running()
    const waiting = await engine.running()

    await beat([started, waiting], [started.id])

    expect(await engine.task(started.id)).toMatchObject({ started_at: expect.any(Date) })
    expect(await engine.task(waiting.id)).toMatchObject({ started_at: null })
  })

  test('keeps the first start that was reported', async ({ engine, beat }) => {
    const task = await engine.running()
    await beat([task], [task.id])
    const first = await engine.task(task.id)

    await beat([task], [task.id])

    expect(await engine.task(task.id)).toMatchObject({ started_at: first?.started_at })
  })

  test.for(['queued', 'done', 'failed', 'cancelled', 'gone'] as const)(
    'tells the worker that a task is no longer its own, once it is %s',
    async (state, { engine, beat }) => {
      const lost = await engine.inState(state)
      const held = await engine.running({ queue: 'post' })

      expect(await beat([lost, held], [lost.id, held.id])).toEqual([lost.id])
    },
  )

  test('tells the worker that its task went to another', async ({ engine, beat }) => {
    const late = await engine.running()
    await engine.pass('31 seconds', late.id)
    await engine.rescue()
    const current = await engine.claimOne('mail')

    expect(await beat([late], [late.id])).toEqual([late.id])

    expect(await engine.task(late.id)).toMatchObject({ claim: current.claim, started_at: null })
  })

  test('tells the worker that it is to drain', async ({ engine, beat }) => {
    const draining = `select draining from heartbeat('w1', '{}', '{}')`
    await beat([])
    expect(await engine.value(draining)).toBe(false)

    await engine.rows(`select drain_worker('w1')`)

    expect(await engine.value(draining)).toBe(true)
  })

  test('refuses a worker that is not registered', async ({ engine }) => {
    await expect(engine.rows(`select heartbeat('unknown', '{}', '{}')`)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: 'worker unknown is not registered',
      hint: expect.stringContaining('register_worker()'),
    })
  })

  test('refuses tasks without their claims', async ({ engine, beat }) => {
    await beat([])

    await expect(engine.rows(`select heartbeat('w1', '{1,2}', '{1}')`)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: 'each task needs the claim that holds it',
    })
  })
})
