import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { project } from '../../project.ts'

/** Imports a package of bench/peers, which the root does not depend on, so its types are written by hand here. */
export async function importPeer<T>(name: string): Promise<T> {
  const require = createRequire(join(project, 'bench', 'peers', 'package.json'))
  return (await import(pathToFileURL(require.resolve(name)).href)) as T
}
