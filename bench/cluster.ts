import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, escapeIdentifier } from 'pg'
import { launch } from '../src/embedded/launch.ts'

export interface BenchCluster {
  readonly url: string
  /** The name of this run: its connections carry it, and the names of its schemas begin with it. */
  readonly run: string
  stop(): Promise<void>
}

/** Durable as in production. So large that no checkpoint happens during the turn of only one subject. */
const settings = {
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '30min',
  autovacuum: 'on',
  max_connections: '500',
  // Counts nothing unless a scenario asks for it.
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'none',
}

/** A new cluster for this run, or the named one, which keeps running; the run removes its traces there. */
export async function openCluster(
  databaseUrl: string | undefined,
  bin: string | undefined,
  onProgress: (line: string) => void,
): Promise<BenchCluster> {
  const run = `bench_${randomBytes(4).toString('hex')}`
  if (databaseUrl !== undefined) {
    return { url: databaseUrl, run, stop: () => forget(databaseUrl, run) }
  }
  const stateDirectory = await mkdtemp(join(tmpdir(), 'tusk-bench-'))
  const cluster = await launch({ stateDirectory, mode: 'durable', bin, settings, onProgress })
  return {
    url: cluster.url,
    run,
    async stop() {
      await cluster.stop()
      await rm(stateDirectory, { recursive: true, force: true })
    },
  }
}

/** Cleans up after an interrupted run: its statements may still run, and its schemas still exist. */
async function forget(url: string, run: string): Promise<void> {
  const client = new Client(url)
  await client.connect()
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
    [run],
  )
  const { rows } = await client.query<{ name: string }>(
    'select nspname as name from pg_namespace where starts_with(nspname, $1)',
    [`${run}_`],
  )
  for (const { name } of rows) await client.query(`drop schema ${escapeIdentifier(name)} cascade`)
  await client.end()
}
