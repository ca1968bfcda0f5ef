import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One file of sql/, by its path there. */
export interface SqlFile {
  readonly path: string
  readonly text: string
  readonly hash: string
  /** Workers older than this migration must not start: its first line is `--! breaking`. */
  readonly isBreaking: boolean
}

/** The SQL that ships with this version; it lies beside src/ and dist/ alike. */
export const packagedSql = fileURLToPath(new URL('../../sql/', import.meta.url))

/** Tables before the functions over them; parts before the functions whose defaults call them. */
const foldersInOrder = ['migrations', 'parts', 'functions', 'views', 'triggers'] as const

/** All files to install, in the order in which they are applied; grants.sql comes last. */
export async function readSqlFiles(directory: string): Promise<SqlFile[]> {
  const folders = await Promise.all(foldersInOrder.map((folder) => readFolder(directory, folder)))
  const inOrder = folders.map((files, index) =>
    foldersInOrder[index] === 'views' ? orderViews(files) : files,
  )
  return [...inOrder.flat(), await readGrants(directory)]
}

/** What does the installing: two tables, and routines each named after its file. */
export async function readInstaller(): Promise<{ tables: SqlFile; routines: SqlFile[] }> {
  const [tables, files] = await Promise.all([
    readSqlFile(packagedSql, 'install/tables.sql'),
    readFolder(packagedSql, 'install'),
  ])
  return { tables, routines: files.filter((file) => file.path !== tables.path) }
}

/** With the folders in it: they put like things together and mean nothing else. */
async function readFolder(directory: string, folder: string): Promise<SqlFile[]> {
  const names = await unlessMissing(readdir(join(directory, folder), { recursive: true }), [])
  const inOrder = names
    .filter((name) => name.endsWith('.sql'))
    .map((name) => name.replaceAll('\\', '/'))
    .sort((a, b) => (a < b ? -1 : 1))
  return Promise.all(inOrder.map((name) => readSqlFile(directory, `${folder}/${name}`)))
}

async function readSqlFile(directory: string, path: string): Promise<SqlFile> {
  return sqlFile(path, await readFile(join(directory, path), 'utf8'))
}

async function readGrants(directory: string): Promise<SqlFile> {
  const text = await unlessMissing(readFile(join(directory, 'grants.sql'), 'utf8'), '')
  return sqlFile('grants.sql', text)
}

/** One file as read, or as written by the installer itself. */
export function sqlFile(path: string, raw: string): SqlFile {
  // A checkout on Windows may change the line ends; the migration is still the same.
  const text = raw.replaceAll('\r\n', '\n')
  return {
    path,
    text,
    hash: createHash('sha256').update(text).digest('hex'),
    isBreaking: text.startsWith('--! breaking'),
  }
}

async function unlessMissing<T>(reading: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return otherwise
    throw error
  }
}

/**
 * A view after the views it mentions, else by name. Read from the text rather than from numbers in
 * file names, so that a view keeps its name; and decided before the run rather than by trying again,
 * so that the first error is the true one.
 */
function orderViews(files: readonly SqlFile[]): SqlFile[] {
  const ordered = new Set<SqlFile>()
  const visited = new Set<SqlFile>()
  const visit = (file: SqlFile): void => {
    if (visited.has(file)) return
    visited.add(file)
    for (const other of files) if (mentions(file, other)) visit(other)
    ordered.add(file)
  }
  for (const file of files) visit(file)
  return [...ordered]
}

function mentions(file: SqlFile, other: SqlFile): boolean {
  const code = file.text.replace(/--.*$/gm, '')
  return viewNames(other).some((name) => new RegExp(`\\b${name}\\b`).test(code))
}

function viewNames(file: SqlFile): string[] {
  const creations = file.text.matchAll(/\bcreate\s+(?:or\s+replace\s+)?view\s+"?(\w+)/gi)
  return [...creations].flatMap(([, name]) => name ?? [])
}
