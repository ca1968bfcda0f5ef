import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Account } from './account.ts'
import type { ClusterFiles } from './cluster-files.ts'
import type { Mode } from './init-cluster.ts'
import { type Installation, program } from './installation.ts'
import { runningPostmaster } from './pid-file.ts'
import { identity, programEnvironment } from './run-program.ts'

const logLimitBytes = 10_000_000

/**
 * Faster where a power cut may cost the cluster. Never synchronous_commit=off: that loses
 * acknowledged rows at a mere crash of Postgres, and would hide our own durability bugs.
 */
const testSettings = { fsync: 'off', full_page_writes: 'off' }

export interface StartOptions {
  readonly port: number
  readonly mode: Mode
  readonly settings: Readonly<Record<string, string>>
}

/** Starts Postgres; true once it is ready, false when it gave up. Its log then says why. */
export async function startPostmaster(
  files: ClusterFiles,
  installation: Installation,
  account: Account | undefined,
  options: StartOptions,
): Promise<boolean> {
  const { pid, ended } = await spawnPostgres(files, installation, account, options)
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  while (!isOver) {
    const postmaster = await runningPostmaster(files)
    if (postmaster?.pid === pid && postmaster?.isReady) return true
    await Promise.race([delay(20), ended])
  }
  return false
}

interface Spawned {
  readonly pid: number | undefined
  readonly ended: Promise<void>
}

async function spawnPostgres(
  files: ClusterFiles,
  installation: Installation,
  account: Account | undefined,
  options: StartOptions,
): Promise<Spawned> {
  const log = await openLog(files)
  try {
    const child = spawn(program(installation.bin, 'postgres'), argumentsFor(files, options), {
      ...identity(account),
      cwd: files.data,
      env: programEnvironment(),
      // Its own session: Ctrl-C must not stop the database before those who use it are done.
      detached: true,
      // A file, not a pipe: our death must neither lose nor block its log.
      stdio: ['ignore', log.fd, log.fd],
      windowsHide: true,
    })
    child.unref()
    // Before anything is awaited: Postgres may give up within a millisecond, and says so once.
    return { pid: child.pid, ended: endOf(child) }
  } finally {
    await log.close()
  }
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    child.once('exit', () => done())
    child.once('error', () => done())
  })
}

function argumentsFor(files: ClusterFiles, { port, mode, settings }: StartOptions): string[] {
  const all = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    ...(mode === 'test' ? testSettings : {}),
    ...settings,
  }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', files.data, ...flags]
}

async function openLog(files: ClusterFiles) {
  const { size } = await stat(files.log).catch(() => ({ size: 0 }))
  if (size > logLimitBytes) await rename(files.log, `${files.log}.1`)
  const { O_APPEND, O_CREAT, O_WRONLY } = constants
  return open(files.log, O_APPEND | O_CREAT | O_WRONLY, 0o600)
}
