import { execFile } from 'node:child_process'
import { cpus, loadavg, totalmem } from 'node:os'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Where and when figures were measured. Without this they mean nothing. */
export interface Machine {
  readonly at: string
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly system: string
  readonly node: string
  readonly postgres: string
  readonly commit: string
  /** sql/ differs from the commit. */
  readonly isChanged: boolean
  /** Load of the last minute before the run: other programs may use the machine too. */
  readonly loadBefore: number
}

export async function describeMachine(project: string, postgres: string): Promise<Machine> {
  const git = async (...args: string[]) =>
    (await run('git', ['-C', project, ...args]).catch(() => ({ stdout: '' }))).stdout.trim()
  return {
    at: new Date().toISOString(),
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${process.arch}`,
    node: process.version,
    postgres,
    commit: await git('rev-parse', '--short', 'HEAD'),
    isChanged: (await git('status', '--porcelain', '--', 'sql')) !== '',
    loadBefore: currentLoad(),
  }
}

export function currentLoad(): number {
  return Number((loadavg()[0] ?? 0).toFixed(2))
}
