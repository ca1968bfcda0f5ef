import { readFile, stat } from 'node:fs/promises'
import { runProgram } from './run-program.ts'
import { systemCode } from './unavailable.ts'

/** Whether some process has this pid: maybe a zombie, maybe a stranger that got the number later. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}

/**
 * Whether this pid is the postmaster of this data directory. A pid alone proves nothing: in a
 * container the same few numbers come around again after every restart.
 */
export async function isPostmaster(pid: number, data: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  switch (process.platform) {
    case 'win32':
      // No cheap way to read a command line here; the login that follows decides.
      return true
    case 'linux':
      return (await argumentsOf(pid)).includes(`-D\0${data}\0`) && (await sameOwner(pid, data))
    default:
      return (await commandOf(pid)).includes(`-D ${data} `)
  }
}

/** Empty for a zombie, and for a process that ended while we looked. */
async function argumentsOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
}

/** The pid file is writable by Postgres's account: it must not make root signal another's process. */
async function sameOwner(pid: number, data: string): Promise<boolean> {
  const owners = await Promise.all([stat(`/proc/${pid}`), stat(data)]).catch(() => [])
  return owners[0] !== undefined && owners[0].uid === owners[1]?.uid
}

async function commandOf(pid: number): Promise<string> {
  return runProgram('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => '')
}
