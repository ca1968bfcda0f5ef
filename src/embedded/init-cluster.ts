import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from './account.ts'
import { type ClusterFiles, filesIn, isInitialized } from './cluster-files.ts'
import { draftName } from './drafts.ts'
import { type Installation, program } from './installation.ts'
import { handOver } from './own-account.ts'
import { runProgram } from './run-program.ts'
import { reasonOf, unavailableError } from './unavailable.ts'

export type Mode = 'durable' | 'test'

export interface InitOptions {
  readonly mode: Mode
  /** Who gets the cluster once it is made; by default the account that made it. */
  readonly owner: Account | undefined
}

/**
 * Makes the cluster aside and moves it into place in one rename, so that a crash or several
 * starters at once never leave half a cluster: the first rename wins.
 */
export async function initCluster(
  stateDirectory: string,
  files: ClusterFiles,
  installation: Installation,
  account: Account | undefined,
  { mode, owner }: InitOptions,
): Promise<void> {
  const draft = filesIn(join(stateDirectory, draftName('init')), files.major)
  try {
    await prepare(draft, account)
    await initdb(draft, installation, account, mode)
    if (account !== undefined) await chown(draft.password, 0, 0)
    if (owner !== undefined) await handOver(draft.data, owner)
    await rename(draft.directory, files.directory)
    if (mode === 'durable') await syncDirectory(stateDirectory)
  } catch (error) {
    await rm(draft.directory, { recursive: true, force: true })
    if (!(await isInitialized(files))) throw error
  }
}

async function prepare(draft: ClusterFiles, account: Account | undefined): Promise<void> {
  await mkdir(draft.directory, { mode: 0o700 })
  await mkdir(draft.data, { mode: 0o700 })
  await writeFile(draft.password, `${randomBytes(18).toString('base64url')}\n`, { mode: 0o600 })
  if (account === undefined) return
  await chmod(draft.directory, 0o711)
  await chown(draft.data, account.uid, account.gid)
  await chown(draft.password, account.uid, account.gid)
}

async function initdb(
  draft: ClusterFiles,
  installation: Installation,
  account: Account | undefined,
  mode: Mode,
): Promise<void> {
  // The builtin provider sorts the same on every machine, and needs no locale of the system.
  const builtin = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const args = [
    ...['-D', draft.data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${draft.password}`],
    ...['-E', 'UTF8', '--no-locale', '--no-instructions'],
    ...(installation.major >= 17 ? builtin : []),
    ...(mode === 'test' ? ['--no-sync'] : []),
  ]
  try {
    await runProgram(program(installation.bin, 'initdb'), args, account, draft.directory)
  } catch (error) {
    throw unavailableError(`initdb could not make a cluster: ${initdbReason(error)}`, error)
  }
}

function initdbReason(error: unknown): string {
  const stderr = String((error as { stderr?: unknown }).stderr ?? '')
  const line = stderr.split('\n').find((each) => /^initdb:|error|fatal/i.test(each))
  return line?.replace(/^initdb: (error: )?/, '') ?? reasonOf(error)
}

/** Without this a power cut could undo the rename, and the clean-up would take the cluster away. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
