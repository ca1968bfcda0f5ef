import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cluster, launch } from '../embedded/launch.ts'

let launched: Promise<string> | undefined

/**
 * The Postgres of this process's tests, in a temporary directory: made when first asked for, shared
 * by all who ask, and gone with the process, however that ends.
 */
export function sharedCluster(): Promise<string> {
  launched ??= launchInTemp().catch((error: unknown) => {
    launched = undefined
    throw error
  })
  return launched
}

async function launchInTemp(): Promise<string> {
  const stateDirectory = await mkdtemp(join(tmpdir(), 'pgtusk-testing-'))
  const cluster = await launch({
    stateDirectory,
    mode: 'test',
    settings: { max_connections: '200' },
  })
  if (process.platform === 'win32') stopBeforeExit(cluster, stateDirectory)
  else watchOver(cluster, stateDirectory)
  return cluster.url
}

/** Waits for the server's own word that it has stopped: its process may stay as a zombie for good. */
const watch = `
  read -r _
  kill -INT "$0"
  tries=0
  while [ -e "$1/postmaster.pid" ] && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
  rm -rf "$2"`

/**
 * Test runners end their processes without warning. The watcher reads from a pipe that ends
 * with this process, whatever ends it.
 */
function watchOver({ pid, dataDirectory }: Cluster, directory: string): void {
  const watcher = spawn('sh', ['-c', watch, String(pid), dataDirectory, directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  watcher.unref()
}

function stopBeforeExit(cluster: Cluster, directory: string): void {
  process.once('beforeExit', () => {
    void cluster.stop().then(() => rmSync(directory, { recursive: true, force: true }))
  })
}
