import { describe, expect } from 'vitest'
import { census, faultsIn } from '../support/books.ts'
import { range } from '../support/crowd.ts'
import { until } from '../support/until.ts'
import { test } from '../support/worker.ts'

describe('a group of limit 1', () => {
  test('goes on by the reports of its worker alone: without a message, without a poll', async ({
    engine,
    work,
  }) => {
    await engine.setGroup('g', { max_running: 1 })
    await engine.enqueueMany(range(30).map(() => ({ queue: 'mail', groups: ['g'] })))
    const order: string[] = []
    let most = 0
    let running = 0

    await work({
      listen: false,
      pollMs: 3_600_000,
      tasks: {
        mail: async (_payload: unknown, { task }: { task: { id: string } }) => {
          order.push(task.id)
          running += 1
          most = Math.max(most, running)
          // Long enough for the worker to have looked again, and found nothing.
          await new Promise((resolve) => setTimeout(resolve, order.length < 5 ? 50 : 0))
          running -= 1
        },
      },
    })

    await until(() => engine.value('select count(*) = 30 from finished'))
    expect(most).toBe(1)
    expect(order.map(Number)).toEqual(order.map(Number).sort((one, other) => one - other))
    expect(await census(engine)).toEqual({ done: 30 })
    expect(await faultsIn(engine)).toEqual([])
  })

  test('gets several of its tasks with one claim, and runs them in order, one at a time', async ({
    engine,
    work,
  }) => {
    await engine.rows('create table lines (tasks bigint[])')
    await engine.rows(`
      create function note_line() returns trigger language plpgsql set search_path from current
      as 'begin insert into lines values (new.line); return null; end'`)
    await engine.rows(
      'create trigger note_line after insert on claims for each row when (new.line is not null) execute function note_line()',
    )
    await engine.setGroup('g', { max_running: 1 })
    const more = () => engine.enqueueMany(range(40).map(() => ({ queue: 'mail', groups: ['g'] })))
    await more()
    const order: number[] = []
    let most = 0
    let running = 0

    await work({
      tasks: {
        mail: async (_payload: unknown, { task }: { task: { id: string } }) => {
          running += 1
          most = Math.max(most, running)
          order.push(Number(task.id))
          await Promise.resolve()
          running -= 1
        },
      },
    })

    await until(async () => {
      if (await engine.value('select exists (select from lines)')) return true
      // A worker asks for a line when it has seen that tasks are short.
      await more()
      return false
    })
    await until(() => engine.value('select not exists (select from tasks)'))
    expect(most).toBe(1)
    expect(order).toEqual(order.toSorted((one, other) => one - other))
    expect(await faultsIn(engine)).toEqual([])
  })

  test('gives back what waits behind a task that takes long', async ({ engine, work }) => {
    await engine.setGroup('g', { max_running: 1 })
    const tasks = range(200).map((payload) => ({ queue: 'mail', groups: ['g'], payload }))
    await engine.enqueueMany(tasks)
    let finish = () => {}
    const long = new Promise<void>((resolve) => {
      finish = resolve
    })
    const worker = await work({
      tasks: { mail: (payload: unknown) => (payload === 100 ? long : undefined) },
    })

    await until(() =>
      engine.value(`select exists (select from task where payload = '100' and state = 'running')`),
    )
    await until(() => engine.value('select count(*) = 1 from tasks where claim is not null'))
    expect(await faultsIn(engine)).toEqual([])
    finish()
    await until(() => engine.value('select not exists (select from tasks)'))
    await worker.stop()
    expect(await faultsIn(engine)).toEqual([])
    expect(await census(engine)).toEqual({ done: 200 })
  })
})
