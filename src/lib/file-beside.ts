import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * A file of this package beside a module, whose `import.meta.url` is given. Undefined in a bundle, which has no such
 * file; in a bundle of CommonJS there is not even an `import.meta.url`. The name is an argument, because bundlers take
 * `new URL('./name.js', import.meta.url)` for a file to copy.
 */
export function fileBeside(own: string | undefined, name: string): URL | undefined {
  const file = own === undefined ? undefined : new URL(name, own)
  return file !== undefined && existsSync(file) ? file : undefined
}

/** A folder of this package, from a module of it; not in a bundle. */
export function folderFrom(own: string, path: string): string {
  return fileURLToPath(new URL(path, own))
}

/**
 * Where a package is that is installed beside this one, or beside a bundle. By way of the process, because bundlers
 * would answer createRequire() themselves.
 */
export function resolveFrom(own: string | undefined, name: string): string {
  const { createRequire } = process.getBuiltinModule('node:module')
  return createRequire(own ?? join(process.cwd(), 'package.json')).resolve(name)
}
