import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * A file of this package beside the module with the given `import.meta.url`. Undefined in a bundle, which has no such
 * file; a CommonJS bundle does not even have an `import.meta.url`. The name is an argument, because bundlers would copy
 * the file of a literal `new URL('./name.js', import.meta.url)`.
 */
export function fileBeside(own: string | undefined, name: string): URL | undefined {
  const file = own === undefined ? undefined : new URL(name, own)
  return file !== undefined && existsSync(file) ? file : undefined
}

/** A folder of this package, relative to one of its modules. Does not work in a bundle. */
export function folderFrom(own: string, path: string): string {
  return fileURLToPath(new URL(path, own))
}

/**
 * The location of a package that is installed beside this one, or beside a bundle, else in the working directory: webpack
 * writes the `import.meta.url` of the machine that made the bundle. Goes through `process`, because bundlers would
 * resolve createRequire() themselves.
 */
export function resolveFrom(own: string | undefined, name: string): string {
  const { createRequire } = process.getBuiltinModule('node:module')
  const here = join(process.cwd(), 'package.json')
  try {
    return createRequire(own ?? here).resolve(name)
  } catch (error) {
    if (own === undefined) throw error
    return createRequire(here).resolve(name)
  }
}
