import { escapeIdentifier } from 'pg'
import { TuskError } from '../lib/errors.ts'
import type { Queryable } from './queryable.ts'
import { isAppliedOnce, readSqlFiles, type SqlFile } from './sql-files.ts'
import { packagedSql } from './sql-source.ts'

/** A row of the table `installed`. */
export interface InstalledFile {
  readonly path: string
  readonly hash: string
  readonly is_breaking: boolean
  readonly applied_at: Date
}

/**
 * The state of a file in the database. A file that is applied once is never `changed` or `removed`: an `edited` one
 * stops the run, and a `newer` one is unknown to this version.
 */
export type FileState = 'applied' | 'pending' | 'changed' | 'removed' | 'edited' | 'newer'

export interface FileStatus {
  readonly path: string
  readonly state: FileState
  readonly applied_at: Date | null
}

/** What is installed in a schema. Null if Tusk is not installed there. */
export async function readInstalled(
  db: Queryable,
  schema: string,
): Promise<InstalledFile[] | null> {
  const table = `${escapeIdentifier(schema)}.installed`
  const { rows: found } = await db.query<{ found: boolean }>(
    // It must be a table: a view, or a row policy, would run its owner's code with our rights.
    `select exists (
       select from pg_class where oid = to_regclass($1) and relkind = 'r' and not relrowsecurity
     ) as found`,
    [table],
  )
  if (found[0]?.found !== true) return null

  const { rows } = await db.query<InstalledFile>(
    `select path, hash, is_breaking, applied_at from ${table} order by path`,
  )
  return rows
}

/** The files of this version, in order, then those that only the database knows. */
export function compare(
  files: readonly SqlFile[],
  installed: readonly InstalledFile[],
): FileStatus[] {
  const rowByPath = new Map(installed.map((row) => [row.path, row]))
  const known = new Set(files.map((file) => file.path))
  return [
    ...files.map((file) => statusOf(file, rowByPath.get(file.path))),
    ...installed.filter((row) => !known.has(row.path)).map(statusOfUnknown),
  ]
}

/**
 * Checks whether a worker of this version can work in a schema. Reads only, because starting a worker must not change
 * the schema.
 *
 * A function whose text differs is accepted. Nothing shows which side is newer, and functions stay callable from one
 * release to the next unless a breaking migration says otherwise.
 */
export async function checkSchema(
  db: Queryable,
  schema: string,
  directory: string = packagedSql,
): Promise<'ready' | 'missing' | 'behind'> {
  const installed = await readInstalled(db, schema)
  if (installed === null) return 'missing'

  const files = await readSqlFiles(directory)
  refuseBreaking(schema, files, installed)
  const isBehind = compare(files, installed).some((file) => file.state === 'pending')
  return isBehind ? 'behind' : 'ready'
}

function refuseBreaking(
  schema: string,
  files: readonly SqlFile[],
  installed: readonly InstalledFile[],
): void {
  const known = new Set(files.map((file) => file.path))
  const breaking = installed.find((row) => row.is_breaking && !known.has(row.path))
  if (breaking === undefined) return
  throw new TuskError(
    'schema_newer',
    `schema ${escapeIdentifier(schema)} has ${breaking.path}, which this version of Tusk cannot work with`,
    { hint: 'Upgrade pgtusk here to the version that migrated this schema.' },
  )
}

function statusOf(file: SqlFile, row: InstalledFile | undefined): FileStatus {
  if (row === undefined) return { path: file.path, state: 'pending', applied_at: null }
  const whenDifferent = isAppliedOnce(file.path) ? 'edited' : 'changed'
  const state = row.hash === file.hash ? 'applied' : whenDifferent
  return { path: file.path, state, applied_at: row.applied_at }
}

function statusOfUnknown({ path, applied_at }: InstalledFile): FileStatus {
  return { path, state: isAppliedOnce(path) ? 'newer' : 'removed', applied_at }
}
