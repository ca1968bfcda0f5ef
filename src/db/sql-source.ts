import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { folderFrom } from '../lib/file-beside.ts'

/** A source of SQL files. */
export interface SqlSource {
  /** The paths of the files and subfolders of a folder, in any order. Empty if the folder does not exist. */
  list(folder: string): Promise<readonly string[]>
  /** The text of a file. Undefined if it does not exist. */
  read(path: string): Promise<string | undefined>
}

/** Stands for the SQL that ships with this version: files in a checkout, embedded texts in a build. */
const packagedMark = 'packaged:'

export const packagedSql = packagedMark

/** The path of the SQL of a dialect that ships with this version. */
export function packagedDialect(name: string): string {
  return `${packagedMark}dialects/${name}/`
}

/** The folder sql/ of a checkout. */
export function sqlFolder(): string {
  return folderFrom(import.meta.url, '../../sql/')
}

/** Opens a folder of SQL, or the SQL that ships with this version. */
export async function openSqlSource(directory: string): Promise<SqlSource> {
  if (!directory.startsWith(packagedMark)) return onDisk(directory)
  const within = directory.slice(packagedMark.length)
  const { sqlFiles } = await import('./packaged-sql.ts')
  return sqlFiles === undefined ? onDisk(join(sqlFolder(), within)) : inMemory(sqlFiles, within)
}

function onDisk(directory: string): SqlSource {
  return {
    list: async (folder) => {
      const names = await unlessMissing(readdir(join(directory, folder), { recursive: true }))
      return (names ?? []).map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    },
    read: (path) => unlessMissing(readFile(join(directory, path), 'utf8')),
  }
}

function inMemory(files: Readonly<Record<string, string>>, within: string): SqlSource {
  const paths = Object.keys(files)
    .filter((path) => path.startsWith(within))
    .map((path) => path.slice(within.length))
  return {
    list: async (folder) => paths.filter((path) => path.startsWith(`${folder}/`)),
    read: async (path) => files[within + path],
  }
}

async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
