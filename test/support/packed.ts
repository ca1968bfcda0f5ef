import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const checkout = fileURLToPath(new URL('../../', import.meta.url))
const notCopied = new Set(['node_modules', '.git', 'dist', 'dist-bench', 'coverage'])

/** A copy of the checkout in which `npm pack` may build, as it does before a release. */
export interface PackedCheckout {
  readonly directory: string
  /** The path of what `npm publish` would send. */
  pack(): Promise<string>
  remove(): Promise<void>
}

export async function copyCheckout(): Promise<PackedCheckout> {
  const directory = await mkdtemp(join(tmpdir(), 'tusk-packed-'))
  for (const name of await readdir(checkout)) {
    if (notCopied.has(name)) continue
    await cp(join(checkout, name), join(directory, name), { recursive: true })
  }
  await symlink(join(checkout, 'node_modules'), join(directory, 'node_modules'))
  return {
    directory,
    pack: async () => {
      const { NODE_OPTIONS: _, VITEST: __, NODE_ENV: ___, ...env } = process.env
      const options = { cwd: directory, env, maxBuffer: 64 * 1024 * 1024 }
      await promisify(execFile)('npm', ['pack', '--silent'], options)
      const name = (await readdir(directory)).find((file) => file.endsWith('.tgz'))
      if (name === undefined) throw new Error('npm pack made no tarball')
      return join(directory, name)
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}
