import { describe, expect } from 'vitest'
import { faultsIn } from '../support/books.ts'
import { range } from '../support/crowd.ts'
import { test } from '../support/worker.ts'

describe('eight racing workers', () => {
  test('never run a task twice, and leave none', async ({ engine, work, allDone }) => {
    const ran: number[] = []
    const tasks = { mail: (n: number) => void ran.push(n) }
    const workers = range(8).map(() => work({ tasks, concurrency: 3, chores: true }))
    for (const part of range(8)) {
      await engine.enqueueMany(range(250).map((n) => ({ queue: 'mail', payload: part * 250 + n })))
    }
    await Promise.all(workers)
    await allDone()

    expect(ran).toHaveLength(2_000)
    expect(new Set(ran).size).toBe(2_000)
    expect(await engine.value('select count(distinct id)::int from task')).toBe(2_000)
    expect(await faultsIn(engine)).toEqual([])
  })

  test('never hold more than a queue and a group allow', async ({ engine, work, allDone }) => {
    await engine.setGroup('printer', { max_running: 2 })
    let running = 0
    let most = 0
    const print = async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((done) => setTimeout(done, 2))
      running -= 1
    }
    await engine.enqueueMany(range(100).map(() => ({ queue: 'mail', groups: ['printer'] })))
    await Promise.all(range(8).map(() => work({ tasks: { mail: print }, chores: false })))
    await allDone()

    expect(most).toBeLessThanOrEqual(2)
  })

  test('each get only what they can run', async ({ engine, work, allDone }) => {
    const ran: string[] = []
    const task = (name: string) => [{ name, queue: 'post', run: () => void ran.push(name) }]
    await Promise.all(
      range(4).flatMap(() => [work({ tasks: task('mail') }), work({ tasks: task('print') })]),
    )

    await engine.enqueueMany(
      range(100).map((n) => ({ queue: 'post', handler: n % 2 === 0 ? 'mail' : 'print' })),
    )
    await allDone()

    expect(ran.filter((name) => name === 'mail')).toHaveLength(50)
    expect(await engine.rows('select * from attempt')).toEqual([])
  })
})
