import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { project } from '../project.ts'

/** A folder of bench/ with a package file of its own, and a newer Node than Tusk needs among its packages. */
export class PeerFolder {
  readonly #name: string
  readonly directory: string
  /** The Node that runs every subject. */
  readonly node: string

  constructor(name: string) {
    this.#name = name
    this.directory = join(project, 'bench', name)
    this.node = join(this.directory, 'node_modules', 'node', 'bin', 'node')
  }

  /** Installs what its lock file says, unless `marker`, one of its packages, is there already. */
  async install(marker: string, onProgress: (line: string) => void): Promise<void> {
    const { directory, node } = this
    if (existsSync(node) && existsSync(join(directory, 'node_modules', marker))) return
    onProgress(`installing the packages of bench/${this.#name} and a Node for them`)
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
    const args = ['install', '--prefix', directory, '--no-audit', '--no-fund', '--loglevel=error']
    const child = spawn(npm, args, { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] })
    const [code] = await once(child, 'exit')
    if (code !== 0 || !existsSync(node)) {
      const place = `bench/${this.#name}`
      throw new Error(`npm install in ${place} failed with code ${code}. Run it there by hand.`)
    }
  }

  /** Imports one of its packages, which the root does not depend on, so its types are written by hand here. */
  async import<T>(name: string): Promise<T> {
    const require = createRequire(join(this.directory, 'package.json'))
    return (await import(pathToFileURL(require.resolve(name)).href)) as T
  }
}
