import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { stopAll } from '../../src/embedded/inspect.ts'
import { faultsIn } from '../support/books.ts'
import { describeWithFarHost, type FarHost, openFarHost } from '../support/far-host.ts'
import { launchIn, query } from '../support/home.ts'
import { test as base, startProcess, type WorkerProcess } from '../support/processes.ts'
import { openTestEngine, type TestEngine } from '../support/test-engine.ts'
import { until } from '../support/until.ts'

const script = fileURLToPath(new URL('./vanishing-worker.mjs', import.meta.url))

/** By TCP alone the server would hold on to the session for hours. */
const limit = 300_000

interface Server {
  /** For workers of this host. */
  readonly url: string
  /** For workers of the other. */
  readonly farUrl: string
  readonly engine: TestEngine
}

interface Fixtures {
  host: FarHost
  /** A Postgres of this test's own, which both hosts can reach. */
  server: Server
  /** Starts a worker on the other host and waits until it has completed its task, but not committed. */
  completeFarAway: (env: Readonly<Record<string, string>>) => Promise<WorkerProcess>
}

const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures' names from the pattern.
  host: async ({}, use) => {
    const host = await openFarHost()
    try {
      await use(host)
    } finally {
      await host.close()
    }
  },

  server: async ({ host, schema }, use) => {
    const home = await mkdtemp(join(tmpdir(), 'tusk-vanished-'))
    try {
      const listen = `127.0.0.1,${host.nearAddress}`
      const { url, port, dataDirectory } = await launchIn(home, {
        settings: { listen_addresses: listen },
      })
      const rule = `host all all ${host.farAddress}/32 scram-sha-256\n`
      await appendFile(join(dataDirectory, 'pg_hba.conf'), rule)
      await query(url, 'select pg_reload_conf()')
      const pool = new pg.Pool({ connectionString: url, options: `-c search_path=${schema}` })
      pool.on('error', () => {})
      await migrate(pool, { schema, roles: false })
      const farUrl = url.replace(`127.0.0.1:${port}`, `${host.nearAddress}:${port}`)
      await use({ url, farUrl, engine: openTestEngine(pool, schema) })
      await pool.end()
    } finally {
      await stopAll(home)
      await rm(home, { recursive: true })
    }
  },

  completeFarAway: async ({ host, server, build, schema }, use) => {
    const started: WorkerProcess[] = []
    await use(async (env) => {
      const options = { schema, leaseMs: 3_000, concurrency: 1 }
      const worker = startProcess(
        [script],
        { BUILD: build, DATABASE_URL: server.farUrl, OPTIONS: JSON.stringify(options), ...env },
        host.prefix,
      )
      started.push(worker)
      await worker.says('before commit')
      return worker
    })
    for (const worker of started) worker.send('SIGKILL')
    await Promise.all(started.map(({ ended }) => ended))
  },
})

/** The cable first, so that nothing of its death is heard. */
async function vanish(host: FarHost, worker: WorkerProcess): Promise<void> {
  await host.pullCable()
  worker.send('SIGKILL')
  await worker.ended
}

async function enqueueTwo(engine: TestEngine): Promise<string[]> {
  await engine.setGroup('one at a time', { max_running: 1 })
  const task = { queue: 'work', groups: ['one at a time'] }
  return (await engine.enqueueMany([task, task])).map(({ id }) => id)
}

/** What the vanished worker still holds, as the server sees it. */
function sessionsOf({ farAddress }: FarHost): string {
  return `select pid from pg_stat_activity
          where client_addr = '${farAddress}' and state = 'idle in transaction'`
}

async function expectDoneBy(engine: TestEngine, worker: WorkerProcess, ids: readonly string[]) {
  await until(() => engine.value('select not exists (select from tasks)'))
  const rows = await engine.rows('select id, state, attempt, output from task order by id')
  const done = { state: 'done', output: worker.pid }
  expect(rows).toEqual(ids.map((id, at) => ({ id, attempt: at === 0 ? 2 : 1, ...done })))
  expect(await engine.rows('select task, reason from attempt')).toEqual([
    { task: ids[0], reason: 'lost' },
  ])
  expect(await faultsIn(engine)).toEqual([])
}

describeWithFarHost('a host that vanishes between completion and COMMIT, without a FIN', () => {
  test('is noticed by the server itself, though no client looks for it', {
    timeout: limit,
  }, async ({ host, server: { engine, url }, completeFarAway, spawnWorker }) => {
    const ids = await enqueueTwo(engine)
    const worker = await completeFarAway({})

    await vanish(host, worker)
    expect(await engine.rows(sessionsOf(host))).toHaveLength(1)
    await until(async () => (await engine.rows(sessionsOf(host))).length === 0)

    await expectDoneBy(engine, await spawnWorker({ url }), ids)
  })

  test('is cut off by the rescue of another worker, where the server does not notice', {
    timeout: limit,
  }, async ({ host, server: { engine, url }, completeFarAway, spawnWorker }) => {
    const ids = await enqueueTwo(engine)
    const worker = await completeFarAway({ WITHOUT_SETTINGS: '1' })

    await vanish(host, worker)
    const survivor = await spawnWorker({ url, leaseMs: 3_000 })

    await expectDoneBy(engine, survivor, ids)
    await survivor.says('ended sessions of lost workers')
  })
})
