import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fileBeside, resolveFrom } from '../../../lib/file-beside.ts'

const file = 'parse-thread.js'

/**
 * Where the thread starts that parses SQL. In a bundle there is no such file beside us, and its WebAssembly cannot be
 * bundled: there the package must be installed where the bundle runs.
 */
export function parserFile(): URL {
  // In a bundle of CommonJS there is no import.meta.
  const own: string | undefined = import.meta.url
  const beside = fileBeside(own, file)
  if (beside !== undefined) return beside
  try {
    const manifest = resolveFrom(own, 'pgtusk/package.json')
    return pathToFileURL(join(dirname(manifest), 'dist', 'runners', 'sql', 'parser', file))
  } catch (cause) {
    throw new Error(
      'SQL tasks need the package pgtusk beside the bundle: run `npm install pgtusk` there',
      { cause },
    )
  }
}
