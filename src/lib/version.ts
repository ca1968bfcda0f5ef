import { existsSync, readFileSync } from 'node:fs'
import { packagedVersion } from './packaged-version.ts'

/** The version of this package. Its manifest is above src/ as well as above any folder it is built into. */
export function ownVersion(): string {
  if (packagedVersion !== undefined) return packagedVersion
  const manifest = findManifest(new URL('../', import.meta.url))
  return String((JSON.parse(readFileSync(manifest, 'utf8')) as { version?: unknown }).version)
}

function findManifest(directory: URL): URL {
  const manifest = new URL('package.json', directory)
  const above = new URL('../', directory)
  return existsSync(manifest) || above.href === directory.href ? manifest : findManifest(above)
}
