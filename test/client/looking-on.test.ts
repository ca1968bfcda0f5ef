import { describe, expect } from 'vitest'
import { test } from '../support/client.ts'

describe('a client that looks on', () => {
  test('counts the tasks that match', async ({ tusk }) => {
    await tusk.enqueueTasks([{ queue: 'mail' }, { queue: 'post' }, { queue: 'mail' }])

    expect(await tusk.countTasks({ queue: 'mail' })).toEqual({ count: 2, exact: true })
    expect(await tusk.countTasks({}, { cap: 1 })).toEqual({ count: 1, exact: false })
  })

  test('finds tasks by time and by text', async ({ tusk }) => {
    const { id } = await tusk.enqueueTask({ queue: 'mail', payload: { to: 'Ada Lovelace' } })
    await tusk.enqueueTask({ queue: 'mail', payload: { to: 'bob' } })
    const soon = new Date(Date.now() + 60_000)

    expect((await tusk.tasks({ text: 'lovelace', createdBefore: soon })).tasks).toMatchObject([
      { id },
    ])
    expect((await tusk.tasks({ text: 'lovelace', createdAfter: soon })).tasks).toEqual([])
  })

  test('hears what happens, from where it began and without a gap', async ({ tusk }) => {
    await tusk.enqueueTask({ queue: 'before' })
    const { after, until } = await tusk.follow('1 minute')
    expect(until.getTime()).toBeGreaterThan(Date.now())

    const { id } = await tusk.enqueueTask({ queue: 'mail' })
    await tusk.cancel(id)
    const events = await tusk.events({ after })

    expect(events).toMatchObject([
      { event: 'enqueue', task: id, queue: 'mail', at: expect.any(Date) },
      { event: 'cancel', task: id },
    ])
    expect(await tusk.events({ after: events.at(-1)?.id })).toEqual([])
  })

  test('sees numbers over time, and how many tasks live', async ({ tusk, engine }) => {
    await tusk.enqueueTask({ queue: 'mail' })
    await engine.complete(await engine.running())
    await engine.rows('select roll_up()')

    const points = await tusk.series({ queue: 'mail', to: new Date(Date.now() + 60_000) })
    expect(points.reduce((sum, { done }) => sum + done, 0)).toBe(1)
    expect(points.filter(({ run_p95 }) => run_p95 !== null)).toHaveLength(1)
    expect(await tusk.queueTotals()).toMatchObject([{ queue: 'mail', depth: '1', done: '1' }])
  })

  test('sees which errors there are, and their tasks', async ({ tusk, engine }) => {
    const task = await engine.running()
    await engine.kill(task, { code: 'E42', message: 'no account 7' })
    await engine.rows('select roll_up()')

    const [group] = await tusk.errorGroups({ since: new Date(Date.now() - 60_000) })

    expect(group).toMatchObject({ code: 'E42', message: 'no account …', count: '1' })
    expect((await tusk.tasks({ error: group?.fingerprint })).tasks).toMatchObject([{ id: task.id }])
  })
})
