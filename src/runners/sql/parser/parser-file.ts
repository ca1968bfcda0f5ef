import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fileBeside, resolveFrom } from '../../../lib/file-beside.ts'

const file = 'parse-thread.js'

/**
 * The file of the thread that parses SQL. A bundle has no such file beside it, and the WebAssembly cannot be bundled.
 * There the package must be installed where the bundle runs.
 */
export function parserFile(): URL {
  // A CommonJS bundle has no import.meta.
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
