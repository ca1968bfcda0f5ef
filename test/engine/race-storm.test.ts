import { describe, expect } from 'vitest'
import type { ClaimedTask, NewTask } from '../../src/engine/task.ts'
import { breachesIn, census, faultsIn } from '../support/books.ts'
import { all, crowd, drain, range, watch } from '../support/crowd.ts'
import { test } from '../support/limit-judge.ts'
import type { TestEngine } from '../support/test-engine.ts'

const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T
const queues = ['mail', 'letters']
// Names on both sides of '@', which is where the counters of queues sort.
const groups = ['1', '2', 'a', 'b', 'c']

function someTask(): NewTask {
  const named = groups.filter(() => Math.random() < 0.3)
  return {
    queue: pick(queues),
    priority: pick([0, 0, 1]),
    maxAttempts: 3,
    backoff: { kind: 'none' },
    ...(named.length > 0 && { groups: named }),
    ...(Math.random() < 0.4 && {
      key: pick(['k1', 'k2', 'k3', 'k4', 'k5', 'k6']),
      onDuplicate: pick(['keep', 'replace'] as const),
    }),
  }
}

/** Everything a member of the storm may do; what it is refused is part of the storm. */
function storm(created: Set<string>, deleted: Set<string>) {
  const held: ClaimedTask[] = []
  const take = () =>
    held.splice(Math.floor(Math.random() * held.length), 1 + Math.floor(Math.random() * 5))
  const known = () => pick([...created].slice(-200)) ?? '0'
  const deeds: readonly ((engine: TestEngine) => Promise<unknown>)[] = [
    async (engine) => {
      const answers = await engine.enqueueMany(
        range(1 + Math.floor(Math.random() * 12)).map(someTask),
      )
      for (const { id, outcome } of answers) if (outcome === 'created') created.add(id)
    },
    async (engine) => held.push(...(await engine.claim(pick(queues), { limit: pick([1, 5, 20]) }))),
    async (engine) => held.push(...(await engine.claim(pick(queues), { limit: pick([1, 5, 20]) }))),
    (engine) => engine.completeMany(take()),
    (engine) => engine.completeMany(take()),
    (engine) => {
      const tasks = take()
      return engine.rows(
        'select * from fail_many($1, $2)',
        tasks.map(({ id }) => id),
        tasks.map(({ claim }) => claim),
      )
    },
    (engine) => engine.release(take()),
    (engine) => engine.rows('select cancel_many($1)', range(3).map(known)),
    (engine) => engine.retry(known()),
    async (engine) => {
      const id = known()
      await engine.delete(id)
      deleted.add(id)
    },
    (engine) => engine.move(known(), new Date()),
    (engine) => engine.rows('update claims set expires_at = claimed_at where id % 7 = 0'),
    (engine) => engine.rescue(),
    (engine) => engine.setGroup(pick(groups), { max_running: pick([1, 2, 5, null]) }),
    (engine) => engine.setQueue(pick(queues), { max_running: pick([3, 10, null]) }),
    (engine) => engine.setQueue(pick(queues), { is_fair: pick([true, false]) }),
    (engine) => engine.setQueue(pick(queues), { group_max_running: pick([2, null]) }),
    (engine) => engine.pauseGroup(pick(groups)),
    (engine) => engine.resumeGroup(pick(groups)),
    (engine) => engine.rows('select * from repair_limits()'),
  ]
  return deeds
}

async function refusedOrDone(deed: Promise<unknown>): Promise<void> {
  try {
    await deed
  } catch (error) {
    if (!(error instanceof Error && error.name === 'TuskError')) throw error
  }
}

describe('a storm of all verbs at once', () => {
  test('ends without a deadlock, with the books in order and nothing lost', async ({
    engine,
    connect,
    judge,
  }) => {
    const members = await crowd(engine, connect, 10)
    const created = new Set<string>()
    const deleted = new Set<string>()

    const work = all(members, async (member) => {
      const deeds = storm(created, deleted)
      for (const _ of range(150)) await refusedOrDone(pick(deeds)(member))
    })

    expect(await watch(() => faultsIn(engine), work)).toEqual([])
    expect((await judge()).breaches).toEqual([])
    for (const group of groups) await engine.resumeGroup(group)
    await engine.rows('update claims set expires_at = claimed_at')
    await engine.rescue()
    // Both at once: a group's next in line may wait in either queue.
    const handed = (
      await Promise.all([drain(members.slice(0, 5), 'mail'), drain(members.slice(5), 'letters')])
    ).flat()

    expect(new Set(handed.map(({ id }) => id)).size).toBe(handed.length)
    const left = await engine.rows<{ id: string }>('select id from finished')
    const lost = [...created].filter((id) => !deleted.has(id) && !left.some((row) => row.id === id))
    expect(lost).toEqual([])
    expect(new Set(left.map(({ id }) => id)).size).toBe(left.length)
    expect(Object.keys(await census(engine))).not.toContain('queued')
    expect(await faultsIn(engine)).toEqual([])
    expect(await breachesIn(engine)).toEqual([])
    expect(await engine.rows('select from claims union all select from keys')).toEqual([])
    expect(await engine.rows('select * from repair_limits()')).toEqual([])
  })
})
