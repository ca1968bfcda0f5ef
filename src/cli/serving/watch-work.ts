import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { Exit } from '../process/exit-code.ts'
import type { Io } from '../process/io.ts'

/**
 * Runs this command line again in a process that Node starts anew when one of its modules changes. The worker in it gets
 * SIGTERM and finishes what runs, as at any stop. A module that cannot be loaded is reported, and the next change tried.
 */
export async function watchWork(io: Io): Promise<void> {
  const [, program = '', ...args] = process.argv
  const again = args.filter((arg) => arg !== '--watch')
  const flags = [...process.execArgv, '--watch', '--watch-preserve-output']
  const child = spawn(process.execPath, [...flags, realpathSync(program), ...again], {
    stdio: 'inherit',
    env: io.env,
    cwd: io.cwd,
  })
  // Ctrl-C reaches it too, but a supervisor signals this process alone.
  void io.stopRequested().then(() => child.kill('SIGTERM'))
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code) throw new Exit(code)
}
