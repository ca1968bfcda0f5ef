import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Tusk } from '../../src/client/tusk.ts'
import { migrate } from '../../src/db/migrate.ts'
import { startWorker, type Worker } from '../../src/worker/worker.ts'
import { until } from '../support/until.ts'
import { openPatroniCluster, type PatroniCluster, whyNoPatroni } from './patroni-cluster.ts'

const missing = whyNoPatroni()
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`

/** What a caller may get while there is no primary: each says what became of the task. */
const clear = ['database_unreachable', 'database_read_only', 'outcome_unknown']
const callers = 4

describe.skipIf(missing !== undefined)(`three nodes under Patroni${skipped}`, () => {
  let cluster: PatroniCluster
  let tusk: Tusk
  let worker: Worker
  const acknowledged = new Set<string>()
  const refusals = new Map<string, number>()
  const done = new Set<unknown>()
  let isStopped = false
  let producing: Promise<unknown>

  beforeAll(async () => {
    cluster = await openPatroniCluster()
    await migrate(cluster.url, { roles: false })
    const tasks = {
      work: async ({ key }: { key: string }) => {
        done.add(key)
      },
    }
    tusk = await Tusk.open({ database: cluster.url, queryTimeoutMs: 10_000 })
    worker = await startWorker({ database: cluster.url, tasks, logger: false })
    producing = Promise.all(Array.from({ length: callers }, (_, caller) => produce(caller)))
  })

  afterAll(async () => {
    isStopped = true
    await producing
    await worker.stop()
    await tusk.close()
    await cluster.close()
  })

  /** Enqueues with a key each, and asks again with the same key until the task is acknowledged. */
  async function produce(caller: number): Promise<void> {
    for (let number = 0; !isStopped; ) {
      const key = `${caller} ${number}`
      const task = {
        queue: 'work',
        key,
        payload: { key },
        window: '1 hour',
        onDuplicate: 'throttle',
      } as const
      try {
        await tusk.enqueueTask(task)
        acknowledged.add(key)
        number += 1
      } catch (error) {
        const code = String((error as { code?: unknown }).code ?? error)
        refusals.set(code, (refusals.get(code) ?? 0) + 1)
      }
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  /** How long nothing was acknowledged, at most, until 200 more were. */
  async function longestPause(): Promise<number> {
    const enough = acknowledged.size + 200
    let [seen, since, longest] = [acknowledged.size, Date.now(), 0]
    await until(async () => {
      if (acknowledged.size > seen) [seen, since] = [acknowledged.size, Date.now()]
      longest = Math.max(longest, Date.now() - since)
      return acknowledged.size >= enough
    })
    return longest
  }

  const report = (what: string, ms: number) =>
    process.stdout.write(
      `${what}: no task for ${(ms / 1000).toFixed(1)} s, ${acknowledged.size} acknowledged so far, refused ${JSON.stringify(Object.fromEntries(refusals))}\n`,
    )

  test('goes on after a switchover', async () => {
    const before = await cluster.leader()
    const pause = longestPause()
    await cluster.switchover()
    report('switchover', await pause)
    await until(async () => !['none', before].includes(await cluster.leader()))
    expect([...refusals.keys()].filter((code) => !clear.includes(code))).toEqual([])
  })

  test('goes on after the machine of the primary is lost', async () => {
    await until(() => cluster.isSafe())
    const lost = await cluster.killPrimary()
    report('lost machine', await longestPause())
    expect(await cluster.leader()).not.toBe(lost)
    expect([...refusals.keys()].filter((code) => !clear.includes(code))).toEqual([])
  })

  test('has lost none of the acknowledged tasks, and runs all of them', async () => {
    isStopped = true
    await producing
    const stored = await storedKeys(cluster.url)
    const lost = [...acknowledged].filter((key) => !stored.has(key))
    process.stdout.write(`lost: ${lost.length} of ${acknowledged.size} acknowledged tasks\n`)

    expect(acknowledged.size).toBeGreaterThan(400)
    expect(lost).toEqual([])
    await until(async () => [...acknowledged].every((key) => done.has(key)))
  })
})

async function storedKeys(url: string): Promise<Set<string>> {
  const tusk = await Tusk.open({ database: url })
  try {
    const { rows } = await (tusk.pool as pg.Pool).query<{ key: string }>(
      `select payload ->> 'key' as key from tusk.task`,
    )
    return new Set(rows.map(({ key }) => key))
  } finally {
    await tusk.close()
  }
}
