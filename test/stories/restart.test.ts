import { randomBytes } from 'node:crypto'
import { describe, expect } from 'vitest'
import { range } from '../support/crowd.ts'
import { test } from '../support/mortal-server.ts'
import { until } from '../support/until.ts'

const limit = 300_000

/** Asked until it answers: the pool of the test has lost its connections too. */
const patiently = (ask: () => Promise<boolean>) => until(() => ask().catch(() => false))

describe('a database that dies and comes back', () => {
  test('finds its workers still there, and no task is lost', { timeout: limit }, async ({
    server,
    spawnWorker,
  }) => {
    const { engine, url } = server
    await engine.enqueueMany(range(200).map(() => ({ queue: 'work', payload: { ms: 30 } })))
    const workers = await Promise.all(range(2).map(() => spawnWorker({ url, leaseMs: 3_000 })))

    for (const worker of workers) {
      await worker.says('end')
      await server.crash()
      await server.start()
    }
    await patiently(() => engine.value('select not exists (select from tasks)'))

    expect(
      await engine.value(`select coalesce(sum(size), 0)::int from finished where state = 'done'`),
    ).toBe(200)
    for (const { lines } of workers) {
      expect(lines.join()).toContain('the database is gone')
      expect(lines.join()).toContain('the database is back')
    }
    await engine.enqueue({ queue: 'work', key: randomBytes(4).toString('hex') })
    await patiently(() => engine.value('select not exists (select from tasks)'))
  })

  test('is left alone while it only reads, as a demoted primary does', { timeout: limit }, async ({
    server,
    spawnWorker,
  }) => {
    const { engine, url } = server
    await engine.enqueueMany(range(200).map(() => ({ queue: 'work', payload: { ms: 30 } })))
    const worker = await spawnWorker({ url, leaseMs: 3_000 })
    await worker.says('end')

    await engine.rows('alter system set default_transaction_read_only = on')
    await engine.rows('select pg_reload_conf()')
    await worker.says('the database is gone')
    await engine.rows('alter system reset default_transaction_read_only')
    await engine.rows('select pg_reload_conf()')
    await patiently(() => engine.value('select not exists (select from tasks)'))

    expect(
      await engine.value(`select coalesce(sum(size), 0)::int from finished where state = 'done'`),
    ).toBe(200)
  })
})
