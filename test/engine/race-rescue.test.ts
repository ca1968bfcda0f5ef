import { describe, expect } from 'vitest'
import type { ClaimedTask } from '../../src/engine/task.ts'
import { census, faultsIn } from '../support/books.ts'
import { all, crowd, range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

const later = new Date(Date.now() + 60_000)

describe('a token whose lease was lost', () => {
  const words: Record<string, (engine: TestEngine, task: ClaimedTask) => Promise<unknown>> = {
    complete: (engine, task) => engine.complete(task, 'too late'),
    fail: (engine, task) => engine.fail(task),
    reject: (engine, task) => engine.reject(task),
    kill: (engine, task) => engine.kill(task),
    reschedule: (engine, task) => engine.reschedule(task, later),
  }

  for (const [verb, say] of Object.entries(words)) {
    test(`is refused by ${verb}, before and after another worker has the task`, async ({
      engine,
    }) => {
      const stale = await engine.running()
      await engine.pass('16 seconds')
      await engine.rescue()

      await expect(say(engine, stale)).rejects.toMatchObject({ code: 'lease_lost' })
      const fresh = await engine.claimOne('mail')
      await expect(say(engine, stale)).rejects.toMatchObject({ code: 'lease_lost' })

      expect(fresh).toMatchObject({ id: stale.id, attempt: 2 })
      expect(await engine.task(stale.id)).toMatchObject({ state: 'running', claim: fresh.claim })
    })
  }

  test('moves nothing when given in bulk, and learns so', async ({ engine }) => {
    const stale = await engine.running()
    await engine.pass('16 seconds')
    await engine.rescue()
    const fresh = await engine.claimOne('mail')
    const held = [[stale.id], [stale.claim]]

    expect(await engine.completeMany([stale])).toEqual([])
    expect(await engine.release([stale])).toEqual([])
    expect(await engine.rows('select * from fail_many($1, $2)', ...held)).toEqual([])
    expect(await engine.extend([stale.claim])).toEqual([])
    await engine.rows(`select register_worker('w', array['mail'], 1, 'host', 1, '1')`)
    expect(await engine.rows(`select * from heartbeat('w', $1, $2, $1)`, ...held)).toMatchObject([
      { lost: [stale.id] },
    ])

    expect(await engine.task(stale.id)).toMatchObject({ state: 'running', claim: fresh.claim })
    expect(await faultsIn(engine)).toEqual([])
  })

  test('still ends its task if it has not been rescued yet', async ({ engine }) => {
    const task = await engine.running()
    await engine.pass('1 hour')

    await engine.complete(task)

    expect(await engine.rescue()).toEqual([])
    expect(await census(engine)).toEqual({ done: 1 })
  })
})

describe('rescue', () => {
  test('by many at once rescues each task once', async ({ engine, connect }) => {
    await engine.setGroup('g', { max_running: 1_000 })
    await engine.enqueueMany(range(600).map(() => ({ queue: 'mail', groups: ['g'] })))
    for (const limit of range(30)) await engine.claim('mail', { limit: 5 + limit })
    const running = await engine.value<number>(
      'select coalesce(sum(size), 0)::int from tasks where claim is not null',
    )
    await engine.pass('16 seconds')
    const rescuers = await crowd(engine, connect, 8)

    const rescued = (
      await all(rescuers, async (rescuer) => {
        const ids = []
        while (await rescuer.value('select exists (select from claims)'))
          ids.push(...(await rescuer.rows<{ id: string }>('select id from rescue(30)')))
        return ids
      })
    ).flat()

    expect(rescued).toHaveLength(running)
    expect(new Set(rescued.map(({ id }) => id)).size).toBe(running)
    expect(await census(engine)).toEqual({ queued: 600 })
    expect(await engine.value('select count(*)::int from attempts')).toBe(running)
    expect(await faultsIn(engine)).toEqual([])
  })

  test('leaves alone a lease that is extended at the same time', async ({ engine, connect }) => {
    await engine.enqueueMany(range(40).map(() => ({ queue: 'mail' })))
    const claims: string[] = []
    for (const _ of range(40)) claims.push((await engine.claimOne('mail')).claim)
    await engine.pass('16 seconds')
    const members = await crowd(engine, connect, 6)

    const [kept, lost] = await Promise.all([
      all(members.slice(0, 3), async (member, index) => {
        const mine = claims.filter((_, place) => place % 3 === index)
        return (await Promise.all(mine.map((claim) => member.extend([claim])))).flat()
      }),
      all(members.slice(3), (member) => member.rescue()),
    ])

    expect(kept.flat().length + lost.flat().length).toBe(40)
    const { running = 0, queued = 0 } = await census(engine)
    expect({ running, queued }).toEqual({ running: kept.flat().length, queued: lost.flat().length })
    expect(await faultsIn(engine)).toEqual([])
  })
})
