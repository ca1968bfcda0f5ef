import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../../src/db/migrate.ts'
import type { Cluster } from '../../src/embedded/launch.ts'
import { launchIn } from './home.ts'
import { test as base } from './processes.ts'
import { openTestEngine, type TestEngine } from './test-engine.ts'
import { until } from './until.ts'

export interface Server {
  readonly url: string
  readonly engine: TestEngine
  /** No goodbye: as if the machine had lost power. */
  crash(): Promise<void>
  start(): Promise<void>
}

/** A Postgres of this test's own, which may be killed. */
export const test = base.extend<{ server: Server }>({
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
