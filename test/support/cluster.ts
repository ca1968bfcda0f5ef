import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {} from 'vitest'
import type { TestProject } from 'vitest/node'
import { launch } from '../../src/embedded/launch.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A Postgres of this run: superuser, empty database, torn down afterwards. */
    pgUrl: string
    /** A folder for what is made once per run; see built.ts. */
    runDirectory: string
  }
}

/** One Postgres for the whole run: the one in DATABASE_URL, else an embedded one of its own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stateDirectory = await mkdtemp(join(tmpdir(), 'tusk-test-'))
  // Root made it, and programs of other users read what is built in it.
  await chmod(stateDirectory, 0o755)
  const runDirectory = join(stateDirectory, 'made')
  await mkdir(runDirectory, { mode: 0o755 })
  project.provide('runDirectory', runDirectory)
  const given = process.env['DATABASE_URL']
  if (given) {
    project.provide('pgUrl', given)
    return () => rm(stateDirectory, { recursive: true })
  }

  const cluster = await launch({
    stateDirectory,
    mode: 'test',
    bin: process.env['TUSK_TEST_POSTGRES_BIN'] || undefined,
    settings: { max_connections: '200' },
  })
  project.provide('pgUrl', cluster.url)

  const dismissWatcher = watchOver(cluster.pid, stateDirectory)
  return async () => {
    dismissWatcher()
    await cluster.stop()
    await rm(stateDirectory, { recursive: true })
  }
}

/**
 * A run that is cut short skips its teardown, and the detached server would stay for good.
 * The watcher reads from a pipe that ends with this process, whatever ends it.
 */
function watchOver(pid: number, directory: string): () => void {
  if (process.platform === 'win32') return () => {}
  const script = 'read -r _; kill -INT "$0"; while kill -0 "$0"; do sleep 0.1; done; rm -rf "$1"'
  const watcher = spawn('sh', ['-c', script, String(pid), directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  watcher.unref()
  return () => void watcher.kill()
}
