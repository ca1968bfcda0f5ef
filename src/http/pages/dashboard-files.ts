import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

/** A file of the built dashboard, as it is sent. */
export interface DashboardFile {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly gzipped: Uint8Array<ArrayBuffer>
}

/** Where the build puts it: the same place seen from src/http and from dist/http. */
export const builtDashboard = fileURLToPath(new URL('../../../dist/dashboard/', import.meta.url))

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** All files by their path, such as `/index.html`; nothing where the dashboard was not built. */
export async function readDashboard(directory: string): Promise<Map<string, DashboardFile>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(
    // A checkout that was not built yet has an API all the same.
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
  const files = entries.filter((entry) => entry.isFile() && typeOf(entry.name) !== undefined)
  return new Map(
    await Promise.all(
      files.map(async ({ name, parentPath }) => {
        const place = join(parentPath, name)
        const bytes = new Uint8Array(await readFile(place))
        const path = `/${relative(directory, place).split(sep).join('/')}`
        return [path, dashboardFile(typeOf(name) ?? '', bytes)] as const
      }),
    ),
  )
}

export function dashboardFile(type: string, bytes: Uint8Array<ArrayBuffer>): DashboardFile {
  return { type, bytes, gzipped: new Uint8Array(gzipSync(bytes, { level: 9 })) }
}

function typeOf(name: string): string | undefined {
  return types[name.slice(name.lastIndexOf('.') + 1)]
}
