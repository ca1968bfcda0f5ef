import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch } from '../src/embedded/launch.ts'

export interface BenchCluster {
  readonly url: string
  stop(): Promise<void>
}

/** Durable as in production; large enough that no checkpoint falls into one subject's turn only. */
const settings = {
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '30min',
  autovacuum: 'on',
  max_connections: '100',
}

/** A cluster of this run alone, or the one that was named, which is left running. */
export async function openCluster(
  databaseUrl: string | undefined,
  bin: string | undefined,
  onProgress: (line: string) => void,
): Promise<BenchCluster> {
  if (databaseUrl !== undefined) return { url: databaseUrl, stop: async () => {} }
  const stateDirectory = await mkdtemp(join(tmpdir(), 'tusk-bench-'))
  const cluster = await launch({ stateDirectory, mode: 'durable', bin, settings, onProgress })
  return {
    url: cluster.url,
    async stop() {
      await cluster.stop()
      await rm(stateDirectory, { recursive: true, force: true })
    },
  }
}
