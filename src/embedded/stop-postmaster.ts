import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClusterFiles } from './cluster-files.ts'
import { program } from './installation.ts'
import { isPostmaster } from './process-table.ts'
import { runProgram } from './run-program.ts'
import { reasonOf, systemCode, unavailableError } from './unavailable.ts'

/** A fast shutdown ends sessions and writes a checkpoint; an immediate one leaves recovery to the next start. */
const steps = [
  { signal: 'SIGINT', patienceMs: 15_000 },
  { signal: 'SIGQUIT', patienceMs: 5_000 },
] as const

/** Stops a postmaster and returns when it is gone. One that is gone already is stopped. */
export async function stopPostmaster(files: ClusterFiles, pid: number): Promise<void> {
  if (process.platform === 'win32') {
    const control = program(await binOf(files), 'pg_ctl')
    await runProgram(control, ['stop', '-D', files.data, '-m', 'fast'])
    return
  }
  for (const { signal, patienceMs } of steps) {
    if (!(await isPostmaster(pid, files.data))) return
    send(pid, signal)
    if (await isGoneWithin(patienceMs, pid, files)) return
  }
  throw unavailableError(`Postgres (pid ${pid}) does not stop; its log is ${files.log}`)
}

/** Windows has no signals to send; the programs that run the server know another way. */
async function binOf(files: ClusterFiles): Promise<string> {
  const commandLine = await readFile(join(files.data, 'postmaster.opts'), 'utf8')
  return dirname(commandLine.split(' "', 1)[0] ?? '')
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return
    throw unavailableError(`Postgres (pid ${pid}) cannot be stopped: ${reasonOf(error)}`, error)
  }
}

async function isGoneWithin(ms: number, pid: number, files: ClusterFiles): Promise<boolean> {
  const deadline = Date.now() + ms
  while (Date.now() < deadline) {
    if (!(await isPostmaster(pid, files.data))) return true
    await delay(20)
  }
  return false
}
