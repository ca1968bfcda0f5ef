import { describe, expect } from 'vitest'
import { faultsIn } from '../support/books.ts'
import { range } from '../support/crowd.ts'
import { test } from '../support/processes.ts'
import { until } from '../support/until.ts'

describe('a leader that is frozen together with another worker', () => {
  test('delays no rescue: their tasks run again elsewhere while it still leads', {
    timeout: 300_000,
  }, async ({ engine, spawnWorker }) => {
    // Leadership outlasts the test: a worker that waited for its end would wait for a day.
    const options = { leaseMs: 15_000, concurrency: 2, chores: { ttlMs: 86_400_000 } }
    const leader = `select workers.pid from leader join workers on workers.id = leader.worker
                    where leader.chore = 'sweep'`
    // One by one, so that each has a row whose payload can be changed below.
    for (const _ of range(4)) await engine.enqueue({ queue: 'work', payload: { ms: 600_000 } })
    const frozen = [await spawnWorker(options)]
    await until(async () => (await engine.rows(leader)).length === 1)
    frozen.push(await spawnWorker(options))
    await until(() => engine.value('select count(*) = 4 from task where claim is not null'))
    const survivor = await spawnWorker(options)

    for (const worker of frozen) worker.send('SIGSTOP')
    await engine.rows(`update tasks set payload = '{"ms": 1}'`)

    await until(() => engine.value('select not exists (select from tasks)'))
    const ends = await engine.rows('select distinct state, output from task')
    expect(ends).toEqual([{ state: 'done', output: survivor.pid }])
    expect(await engine.rows(leader)).toEqual([{ pid: frozen[0]?.pid }])
    expect(await faultsIn(engine)).toEqual([])
  })
})
