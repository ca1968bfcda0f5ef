import { describe, expect } from 'vitest'
import type { ClaimedTask } from '../../src/engine/task.ts'
import { census, faultsIn } from '../support/books.ts'
import { all, crowd, member, range, waitsForLock } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

/** Whether an attempt at something succeeded; a refusal is an answer, anything else is thrown. */
async function wins(attempt: Promise<unknown>): Promise<boolean> {
  try {
    await attempt
    return true
  } catch (error) {
    if (error instanceof Error && error.name === 'TuskError') return false
    throw error
  }
}

/** Runs `rounds` of two rivals for one task each, all at once; gives how many each round won. */
async function duels(
  engine: TestEngine,
  crowd: TestEngine[],
  tasks: ClaimedTask[],
  rivals: [Rival, Rival],
): Promise<number[]> {
  const half = crowd.length / 2
  const results = await Promise.all(
    tasks.map(async (task, index) => {
      const left = crowd[index % half] ?? engine
      const right = crowd[half + (index % half)] ?? engine
      const both = await Promise.all([rivals[0](left, task), rivals[1](right, task)])
      return both.filter(Boolean).length
    }),
  )
  return results
}

type Rival = (engine: TestEngine, task: ClaimedTask) => Promise<boolean>

const complete: Rival = (engine, task) => wins(engine.complete(task))

async function sixty(engine: TestEngine): Promise<ClaimedTask[]> {
  await engine.setQueue('mail', { max_running: 60 })
  await engine.setGroup('g', { max_running: 60 })
  await engine.enqueueMany(
    range(60).map((index) => ({ queue: 'mail', groups: ['g'], key: `k${index}` })),
  )
  return engine.claim('mail', { limit: 60 })
}

const once = Array<number>(60).fill(1)

describe('exactly one wins when a completion races', () => {
  test('a cancellation', async ({ engine, connect }) => {
    const tasks = await sixty(engine)
    const cancel: Rival = (member, task) => wins(member.cancel(task.id))

    const won = await duels(engine, await crowd(engine, connect, 8), tasks, [complete, cancel])

    const { done = 0, cancelled = 0 } = await census(engine)
    expect(won).toEqual(once)
    expect(done + cancelled).toBe(60)
    expect(await faultsIn(engine)).toEqual([])
    expect(await engine.rows('select from claims union all select from keys')).toEqual([])
  })

  test('another completion, a failure or a release', async ({ engine, connect }) => {
    const tasks = await sixty(engine)
    const other: Rival = async (member, task) => {
      const turn = Number(task.id) % 3
      if (turn === 0) return wins(member.complete(task))
      if (turn === 1) return wins(member.fail(task, null, { retry: false }))
      return (await member.release([task])).length === 1
    }

    const won = await duels(engine, await crowd(engine, connect, 8), tasks, [complete, other])

    const { done = 0, failed = 0, queued = 0 } = await census(engine)
    expect(won).toEqual(once)
    expect(done + failed + queued).toBe(60)
    expect(await faultsIn(engine)).toEqual([])
  })

  test('a rescue', async ({ engine, connect }) => {
    const tasks = await sixty(engine)
    await engine.pass('16 seconds')
    const [rescuer, ...members] = await crowd(engine, connect, 9)

    const rescued: string[] = []
    const completing = duels(engine, members, tasks, [complete, async () => false])
    for (const _ of range(20)) {
      rescued.push(...((await rescuer?.rescue()) ?? []).map(({ id }) => id))
    }
    const won = (await completing).filter((wins) => wins === 1).length

    expect(won + rescued.length).toBe(60)
    const { done = 0, queued = 0 } = await census(engine)
    expect({ done, queued }).toEqual({ done: won, queued: rescued.length })
    expect(await faultsIn(engine)).toEqual([])
  })

  test('a deletion, after which nothing is left either way', async ({ engine, connect }) => {
    const tasks = await sixty(engine)
    const remove: Rival = (member, task) => wins(member.delete(task.id))

    const won = await duels(engine, await crowd(engine, connect, 8), tasks, [complete, remove])

    // Deleting works on a task in any state, so it always has its way.
    expect(won.every((wins) => wins >= 1)).toBe(true)
    expect(await census(engine)).toEqual({})
    expect(await faultsIn(engine)).toEqual([])
    expect(await engine.rows('select from claims union all select from keys')).toEqual([])
  })
})

describe('exactly one wins when a claim races', () => {
  test('an expiry', async ({ engine, connect }) => {
    await engine.setGroup('g', { max_running: 100 })
    const deadline = new Date(Date.now() + 3_600_000)
    await engine.enqueueMany(range(200).map(() => ({ queue: 'mail', groups: ['g'], deadline })))
    const members = await crowd(engine, connect, 8)
    let expired = 0

    const claimed = await all(members, async (member, index) => {
      let tasks = 0
      for (const _ of range(20)) {
        if (index % 2 === 0) tasks += (await member.claim('mail', { limit: 5 })).length
        else {
          await member.rows(
            `update tasks set deadline = clock_timestamp() where ctid = any (array(
               select ctid from tasks where claim is null limit 5 for update skip locked))`,
          )
          const gone = await member.rows('select expire(5)')
          expired += gone.length
        }
      }
      return tasks
    })
    expired += (await engine.rows('select expire(1000)')).length

    const running = claimed.reduce((sum, n) => sum + n, 0)
    const { queued = 0, failed = 0 } = await census(engine)
    expect(failed).toBe(expired)
    expect(running + expired + queued).toBe(200)
    expect(await faultsIn(engine)).toEqual([])
  })

  test('a cancellation', async ({ engine, connect }) => {
    const made = await engine.enqueueMany(range(200).map(() => ({ queue: 'mail', groups: ['g'] })))
    const members = await crowd(engine, connect, 8)
    const pending = made.map(({ id }) => id)
    let claimed = 0

    await all(members, async (member, index) => {
      for (const _ of range(25)) {
        const id = index % 2 === 0 ? pending.pop() : undefined
        if (id !== undefined) await wins(member.cancel(id))
        else {
          const tasks = await member.claim('mail', { limit: 2 })
          claimed += tasks.length
        }
      }
    })

    const { queued = 0, running = 0, cancelled = 0 } = await census(engine)
    expect(queued + running + cancelled).toBe(200)
    expect(claimed).toBeGreaterThanOrEqual(running)
    expect(await faultsIn(engine)).toEqual([])
  })
})

// A retry takes the task from where the second look falls to where the first one was.
describe('a task that is retried at this moment', () => {
  test.for([
    ['deletes', 'delete($1)', 'gone'],
    ['deletes many with', 'delete_many(array[$1::bigint])', 'gone'],
    ['amends', `amend($1, '{"priority": 7}')`, 7],
  ] as const)(
    'is still found by a session that %s it',
    async ([, call, outcome], { engine, connect }) => {
      const { id } = await engine.inState('done')
      const retrier = await member(engine, connect)
      const other = await member(engine, connect)

      await retrier.rows('begin')
      await retrier.rows('select retry($1)', id)
      const called = other.rows(`select ${call}`, id)
      await waitsForLock(engine, other)
      await retrier.rows('commit')
      await called

      const task = await engine.task(id)
      expect(task === null ? 'gone' : task.priority).toBe(outcome)
      expect(await faultsIn(engine)).toEqual([])
    },
  )

  test('is still found by a session that watches it', async ({ engine, connect }) => {
    const { id } = await engine.inState('done')
    const retrier = await member(engine, connect)
    const watcher = await member(engine, connect)

    await retrier.rows('begin')
    // Holds the watcher between its two looks: it has looked among the live.
    await retrier.rows('lock table finished in access exclusive mode')
    const watching = watcher.rows('select state from watch($1)', id)
    await waitsForLock(engine, watcher)
    await retrier.rows('select retry($1)', id)
    await retrier.rows('commit')

    expect(await watching).toEqual([{ state: 'queued' }])
    expect(await engine.value('select count(*)::integer from waiters where task = $1', id)).toBe(1)
  })

  test('keeps its key although its day is cleared', async ({ engine, connect }) => {
    await engine.rows(`select prepare_days(now() - interval '9 days')`)
    await engine.setQueue('mail', { keeps_keys: true })
    const task = await engine.running({ key: 'ada' })
    await engine.kill(task)
    await engine.pass('7 days 12 hours')
    const day = await engine.value('select tableoid::regclass::text from finished')
    const retrier = await member(engine, connect)
    const sweeper = await member(engine, connect)

    await retrier.rows('begin')
    await retrier.rows('select retry($1)', task.id)
    const cleared = sweeper.rows('select clear_day($1::regclass, 10)', day)
    await waitsForLock(engine, sweeper)
    await retrier.rows('commit')
    await cleared

    expect(await engine.rows('select key, task from keys')).toEqual([{ key: 'ada', task: task.id }])
    expect(await faultsIn(engine)).toEqual([])
  })
})
