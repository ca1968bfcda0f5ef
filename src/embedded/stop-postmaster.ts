import { setTimeout as delay } from 'node:timers/promises'
import type { ClusterFiles } from './cluster-files.ts'
import { program } from './installation.ts'
import { isPostmaster } from './process-table.ts'
import { runProgram } from './run-program.ts'
import { reasonOf, systemCode, unavailable } from './unavailable.ts'

/** A fast shutdown ends sessions and writes a checkpoint; an immediate one leaves recovery to the next start. */
const steps = [
  { signal: 'SIGINT', patienceMs: 15_000 },
  { signal: 'SIGQUIT', patienceMs: 5_000 },
] as const

/** Stops a postmaster and returns when it is gone. One that is gone already is stopped. */
export async function stopPostmaster(files: ClusterFiles, pid: number, bin: string): Promise<void> {
  if (process.platform === 'win32') {
    await runProgram(program(bin, 'pg_ctl'), ['stop', '-D', files.data, '-m', 'fast'])
    return
  }
  for (const { signal, patienceMs } of steps) {
    if (!(await isPostmaster(pid, files.data))) return
    send(pid, signal)
    if (await isGoneWithin(patienceMs, pid, files)) return
  }
  throw unavailable(`Postgres (pid ${pid}) does not stop; its log is ${files.log}`)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return
    throw unavailable(`Postgres (pid ${pid}) cannot be stopped: ${reasonOf(error)}`, error)
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
