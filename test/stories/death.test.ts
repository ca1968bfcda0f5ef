import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject } from 'vitest'
import { faultsIn } from '../support/books.ts'
import { range } from '../support/crowd.ts'
import { test } from '../support/processes.ts'
import { until } from '../support/until.ts'

const limit = 300_000

/** A file that does not exist yet; a handler waits until it does. */
function signalFile() {
  const path = join(inject('runDirectory'), `signal-${randomUUID()}`)
  return { path, make: () => writeFile(path, '') }
}

describe('a worker that is killed in mid-task', () => {
  test('leaves its tasks to another, which runs them again', { timeout: limit }, async ({
    engine,
    spawnWorker,
  }) => {
    // One by one, so that each has a row whose payload can be changed below.
    const tasks: { id: string }[] = []
    for (const _ of range(4)) {
      tasks.push(await engine.enqueue({ queue: 'work', payload: { ms: 600_000 } }))
    }
    const doomed = await spawnWorker({ concurrency: 4 })
    await until(async () => doomed.lines.filter((line) => line.startsWith('begin')).length === 4)
    await engine.rows(`update tasks set payload = '{"ms": 1}'`)

    doomed.send('SIGKILL')
    await doomed.ended
    const survivor = await spawnWorker()
    await until(() => engine.value('select not exists (select from tasks)'))

    const rows = await engine.rows('select id, attempt, output from task order by id')
    expect(rows).toEqual(tasks.map(({ id }) => ({ id, attempt: 2, output: survivor.pid })))
    expect(await engine.rows('select distinct reason from attempt')).toEqual([{ reason: 'lost' }])
    expect(await faultsIn(engine)).toEqual([])
  })

  test('again and again, loses no task', { timeout: limit }, async ({ engine, spawnWorker }) => {
    // A busy machine loses leases besides those of the dead: none of these may run out of attempts.
    const task = { queue: 'work', payload: { ms: 20 }, maxAttempts: 100 }
    await engine.enqueueMany(range(300).map(() => task))
    for (const _ of range(4)) {
      const worker = await spawnWorker({ leaseMs: 2_000 })
      await worker.says('end')
      worker.send('SIGKILL')
      await worker.ended
    }
    await spawnWorker({ leaseMs: 2_000 })
    await until(() => engine.value('select not exists (select from tasks)'))

    expect(await engine.value(`select count(*)::int from task where state = 'done'`)).toBe(300)
    expect(await faultsIn(engine)).toEqual([])
  })
})

describe('a worker that is frozen past its lease', () => {
  test('comes back as a zombie whose results are refused', { timeout: limit }, async ({
    engine,
    spawnWorker,
  }) => {
    const end = signalFile()
    const payload = { waitsUntil: end.path }
    const { id } = await engine.enqueue({ queue: 'work', payload })
    const zombie = await spawnWorker({ leaseMs: 5_000 })
    await zombie.says('begin')

    zombie.send('SIGSTOP')
    await engine.rows(`update tasks set payload = '{"ms": 1}'`)
    const other = await spawnWorker()
    await until(() => engine.value('select not exists (select from tasks)'))
    zombie.send('SIGCONT')
    await end.make()
    await zombie.says('its result is dropped')

    expect(await engine.task(id)).toMatchObject({ state: 'done', attempt: 2, output: other.pid })
    expect(await engine.rows('select reason from attempt')).toEqual([{ reason: 'lost' }])
  })
})

describe('a handler that blocks the event loop', () => {
  test('keeps its lease, though others look for the dead', { timeout: limit }, async ({
    engine,
    spawnWorker,
  }) => {
    const end = signalFile()
    const blocked = await spawnWorker({ leaseMs: 5_000 })
    const payload = { blocksUntil: end.path }
    const { id } = await engine.enqueue({ queue: 'work', payload })
    await blocked.says('begin')
    await spawnWorker({ leaseMs: 5_000 })
    await until(() => engine.value(`select count(*) = 1 from worker where state ? 'blocked_ms'`))
    // Longer than the lease that it began with.
    await until(() =>
      engine.value(`select clock_timestamp() > claimed_at + interval '6 seconds' from claims`),
    )
    await end.make()
    await until(() => engine.value('select not exists (select from tasks)'))

    expect(await engine.task(id)).toMatchObject({ state: 'done', attempt: 1, output: blocked.pid })
  })

  test('for too long is given up, and another worker takes over', { timeout: limit }, async ({
    engine,
    spawnWorker,
  }) => {
    const end = signalFile()
    const blocked = await spawnWorker({ leaseMs: 3_000, maxBlockMs: 500 })
    const payload = { blocksUntil: end.path }
    const { id } = await engine.enqueue({ queue: 'work', payload })
    await blocked.says('begin')
    await engine.rows(`update tasks set payload = '{"ms": 1}'`)
    const other = await spawnWorker()
    await until(() => engine.value('select not exists (select from tasks)'))
    await end.make()
    await blocked.says('its result is dropped')

    expect(await engine.task(id)).toMatchObject({ state: 'done', attempt: 2, output: other.pid })
  })
})
