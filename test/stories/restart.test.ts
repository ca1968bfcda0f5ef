import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import type { Cluster } from '../../src/embedded/launch.ts'
import { range } from '../support/crowd.ts'
import { launchIn } from '../support/home.ts'
import { test as base } from '../support/processes.ts'
import { openTestEngine, type TestEngine } from '../support/test-engine.ts'
import { until } from '../support/until.ts'

const limit = 300_000

interface Server {
  readonly url: string
  readonly engine: TestEngine
  /** No goodbye: as if the machine had lost power. */
  crash(): Promise<void>
  start(): Promise<void>
}

/** A Postgres of this test's own, which may be killed. */
const test = base.extend<{ server: Server }>({
  server: async ({ schema }, use) => {
    const home = await mkdtemp(join(tmpdir(), 'tusk-restart-'))
    let cluster: Cluster = await launchIn(home)
    const pool = new pg.Pool({ connectionString: cluster.url, options: `-c search_path=${schema}` })
    pool.on('error', () => {})
    await migrate(pool, { schema, roles: false })
    await use({
      url: cluster.url,
      engine: openTestEngine(pool, schema),
      crash: async () => {
        process.kill(cluster.pid, 'SIGKILL')
        await until(async () => !isAlive(cluster.pid))
      },
      start: async () => {
        cluster = await launchIn(home, { port: cluster.port })
      },
    })
    await pool.end()
    await cluster.stop()
    await rm(home, { recursive: true })
  },
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

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
