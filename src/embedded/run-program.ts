import { execFile } from 'node:child_process'
import { parse } from 'node:path'
import { promisify } from 'node:util'
import type { Account } from './account.ts'

const passedOn = ['PATH', 'TZ', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP']

/**
 * The environment of every Postgres program: a few names and no more.
 * PG* variables would redirect it, and roles that may run SQL in it can read its environment.
 */
export function programEnvironment(): NodeJS.ProcessEnv {
  const kept = passedOn.map((name) => [name, process.env[name]] as const)
  return { ...Object.fromEntries(kept.filter(([, value]) => value !== undefined)), LC_ALL: 'C' }
}

/** Spawn options that drop to the account; libuv also clears the supplementary groups. */
export function identity(account: Account | undefined): { uid?: number; gid?: number } {
  return account === undefined ? {} : { uid: account.uid, gid: account.gid }
}

/** Runs a program to its end and gives what it printed. A bad exit rejects, with its stderr. */
export async function runProgram(
  file: string,
  args: readonly string[],
  account?: Account,
  cwd = parse(file).root,
): Promise<string> {
  const options = { ...identity(account), cwd, env: programEnvironment(), windowsHide: true }
  const { stdout } = await promisify(execFile)(file, args, options)
  return stdout
}
