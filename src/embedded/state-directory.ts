import { access, chmod, constants, mkdir, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { TuskError } from '../lib/errors.ts'
import type { Account } from './account.ts'
import { projectDirectory, projectSlug } from './project-directory.ts'
import { runProgram } from './run-program.ts'
import { reasonOf, systemCode, unavailableError, useAnotherHome } from './unavailable.ts'

/**
 * Where clusters live: in TUSK_HOME, else in a directory for the project of `cwd`. That one is not in the project
 * itself: Postgres may run as another account, which cannot enter a home directory, and `git clean` would delete it.
 */
export function defaultStateDirectory(
  env: NodeJS.ProcessEnv = process.env,
  cwd: string = process.cwd(),
): string {
  if (env['TUSK_HOME']) return resolve(cwd, env['TUSK_HOME'])
  return join(sharedDirectory(env), projectSlug(projectDirectory(cwd)))
}

/** What the state directories of all projects of this user are in. */
export function sharedDirectory(env: NodeJS.ProcessEnv): string {
  if (process.getuid?.() === 0) return '/var/lib/tusk'
  return join(env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'tusk')
}

/** Makes the state directory and gives its real path: Postgres reports real paths, and we compare. */
export async function openStateDirectory(path: string): Promise<string> {
  try {
    const firstMade = await mkdir(path, { recursive: true, mode: 0o700 })
    if (process.getuid?.() === 0) await letOthersThrough(path, firstMade ?? path)
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return await realpath(path)
  } catch (error) {
    const message = `the state directory ${path} cannot be used: ${reasonOf(error)}`
    throw unavailableError(message, error, useAnotherHome)
  }
}

/**
 * Postgres's account must pass through what root made, whatever root's umask. Bits are only
 * added: the directory may be one that exists and serves others too.
 */
async function letOthersThrough(path: string, firstMade: string): Promise<void> {
  const { mode } = await stat(path)
  if ((mode & 0o011) !== 0o011) await chmod(path, (mode & 0o7777) | 0o011)
  if (resolve(path) !== resolve(firstMade)) await letOthersThrough(dirname(path), firstMade)
}

/** Says plainly when the account cannot reach the directory, before Postgres says it darkly. */
export async function requireEntry(
  stateDirectory: string,
  account: Account | undefined,
): Promise<void> {
  if (account === undefined) return
  try {
    // Not by the cwd option: Node changes directory before it drops to the account.
    await runProgram('/bin/sh', ['-c', 'cd "$0"', stateDirectory], account)
  } catch (error) {
    throw refused(stateDirectory, account, error)
  }
}

function refused(directory: string, { name }: Account, cause: unknown): TuskError {
  // A container may take from root the right to become another user.
  if (systemCode(cause) === 'EPERM') {
    return unavailableError(
      `Postgres cannot run as root, and root may not become ${name} here`,
      cause,
    )
  }
  const message = `Postgres runs as the account ${name}, which may not enter ${directory}`
  return unavailableError(message, cause, useAnotherHome)
}
