import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { project } from '../project.ts'

const directory = join(project, 'bench', 'peers')

/** The Node that runs every subject: graphile-worker and pg-boss need a newer one than Tusk does. */
export const peerNode = join(directory, 'node_modules', 'node', 'bin', 'node')

/** Installs graphile-worker, pg-boss and their Node into bench/peers, as its lock file says. */
export async function installPeers(onProgress: (line: string) => void): Promise<void> {
  if (existsSync(peerNode) && existsSync(join(directory, 'node_modules', 'pg-boss'))) return
  onProgress('installing graphile-worker, pg-boss and a Node for them into bench/peers')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const args = ['install', '--prefix', directory, '--no-audit', '--no-fund', '--loglevel=error']
  const child = spawn(npm, args, { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'exit')
  if (code !== 0 || !existsSync(peerNode)) {
    throw new Error(`npm install in bench/peers failed with code ${code}. Run it there by hand.`)
  }
}
