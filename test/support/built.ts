import { execFile } from 'node:child_process'
import { access, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build as buildPages } from 'vite'
import { inject } from 'vitest'
import { embedFiles } from '../../build/embed-files.mjs'

const checkout = fileURLToPath(new URL('../../', import.meta.url))

/** The folder of the compiled package. Types are checked by `npm run types`, not here. */
export function builtPackage(): Promise<string> {
  return once('package', async (directory) => {
    const tsc = join(checkout, 'node_modules', '.bin', 'tsc')
    const args = ['-p', 'tsconfig.build.json', '--noCheck', '--outDir', directory]
    await promisify(execFile)(tsc, args, { cwd: checkout })
    await embedFiles(directory)
  })
}

/** The folder of the dashboard as browsers get it. */
export function builtDashboard(): Promise<string> {
  return once('dashboard', async (outDir) => {
    const configFile = join(checkout, 'vite.config.ts')
    await buildPages({ configFile, logLevel: 'error', build: { outDir } })
  })
}

/** Makes something once per run, whichever test asks for it first; the others wait for it. */
export async function once(
  name: string,
  make: (directory: string) => Promise<void>,
): Promise<string> {
  const directory = join(inject('runDirectory'), name)
  const done = `${directory}.done`
  try {
    await mkdir(directory)
  } catch {
    while (!(await exists(done))) {
      if (!(await exists(directory))) return once(name, make)
      await pause(50)
    }
    return directory
  }
  try {
    await make(directory)
    await writeFile(done, '')
    return directory
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw error
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
