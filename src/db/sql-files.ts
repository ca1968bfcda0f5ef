import { createHash } from 'node:crypto'
import { openSqlSource, packagedSql, type SqlSource } from './sql-source.ts'

/** One file of sql/, with its path there. */
export interface SqlFile {
  readonly path: string
  readonly text: string
  readonly hash: string
  /** Workers older than this migration must not start: its first line is `--! breaking`. */
  readonly isBreaking: boolean
}

/**
 * Folders whose files are applied once and never edited after a release: the tables of the first release, then their
 * changes. install_applies_once() is the same rule in SQL.
 */
const appliedOnce = ['schema', 'migrations'] as const

/** Tables before the functions over them, and functions before the views that call them. */
const foldersInOrder = [...appliedOnce, 'core', 'verbs', 'views', 'triggers'] as const

/** Whether a file is applied once. All other files are applied again when their text changes. */
export function isAppliedOnce(path: string): boolean {
  return appliedOnce.some((folder) => path.startsWith(`${folder}/`))
}

/** All files to install, in the order in which they are applied; grants.sql comes last. */
export async function readSqlFiles(directory: string): Promise<SqlFile[]> {
  const source = await openSqlSource(directory)
  const folders = await Promise.all(foldersInOrder.map((folder) => readFolder(source, folder)))
  const inOrder = folders.map((files, index) =>
    foldersInOrder[index] === 'views' ? orderViews(files) : files,
  )
  return [...inOrder.flat(), sqlFile('grants.sql', (await source.read('grants.sql')) ?? '')]
}

/** The installer: two tables, and routines each named after its file. */
export async function readInstaller(): Promise<{ tables: SqlFile; routines: SqlFile[] }> {
  const files = await readFolder(await openSqlSource(packagedSql), 'install')
  const tables = files.find(({ path }) => path === 'install/tables.sql')
  if (tables === undefined) throw new Error('sql/install/tables.sql is missing from this package')
  return { tables, routines: files.filter((file) => file.path !== tables.path) }
}

/** Includes subfolders, which only group related files. */
async function readFolder(source: SqlSource, folder: string): Promise<SqlFile[]> {
  const paths = (await source.list(folder)).filter((path) => path.endsWith('.sql'))
  const inOrder = [...paths].sort((a, b) => (a < b ? -1 : 1))
  return Promise.all(inOrder.map(async (path) => sqlFile(path, (await source.read(path)) ?? '')))
}

/** One file, from disk or written by the installer itself. */
export function sqlFile(path: string, raw: string): SqlFile {
  // A checkout on Windows may have other line ends. The migration is still the same.
  const text = raw.replaceAll('\r\n', '\n')
  return {
    path,
    text,
    hash: createHash('sha256').update(text).digest('hex'),
    isBreaking: text.startsWith('--! breaking'),
  }
}

/**
 * Sorts files of views after those whose views they read, else by name. Read from the text rather than from numbers in
 * file names, so that a view keeps its name. Decided before the run rather than by trying again, so that the first
 * error is the real one.
 */
function orderViews(files: readonly SqlFile[]): SqlFile[] {
  const ordered = new Set<SqlFile>()
  const visited = new Set<SqlFile>()
  const visit = (file: SqlFile): void => {
    if (visited.has(file)) return
    visited.add(file)
    for (const other of files) if (reads(file, other)) visit(other)
    ordered.add(file)
  }
  for (const file of files) visit(file)
  return [...ordered]
}

function reads(file: SqlFile, other: SqlFile): boolean {
  const code = file.text.replace(/--.*$/gm, '')
  return viewNames(other).some((name) =>
    new RegExp(`\\b(?:from|join)\\s+${name}\\b`, 'i').test(code),
  )
}

function viewNames(file: SqlFile): string[] {
  const creations = file.text.matchAll(/\bcreate\s+(?:or\s+replace\s+)?view\s+"?(\w+)/gi)
  return [...creations].flatMap(([, name]) => name ?? [])
}
