import pg, { escapeIdentifier } from 'pg'
import { compare, readInstalled } from '../db/installed.ts'
import type { Queryable } from '../db/queryable.ts'
import { readSqlFiles, type SqlFile } from '../db/sql-files.ts'
import { type Target, withClient } from '../db/with-client.ts'
import type { Dialect } from './dialect.ts'
import { dialects } from './dialects.ts'

/** A row of the table `installed_dialect`. */
export interface InstalledDialect {
  readonly name: string
  readonly engine_schema: string
}

/** A dialect that is installed in a database. */
export interface DialectStatus extends InstalledDialect {
  readonly schema: string
  /** `newer` and `unknown` are of another version of Tusk. */
  readonly state: 'current' | 'behind' | 'newer' | 'unknown'
}

/** The dialects that are installed in a database, by schema. */
export async function listDialects(target: Target): Promise<DialectStatus[]> {
  return withClient(target, readDialects)
}

/** The same, on a connection or a pool. */
export async function readDialects(db: Queryable): Promise<DialectStatus[]> {
  const found: DialectStatus[] = []
  for (const schema of await findDialectSchemas(db))
    found.push(...((await unlessDropped(readStatus(db, schema))) ?? []))
  return found
}

/** The schemas that hold a dialect, whichever, which the caller may look into. Those of others are none of its business. */
export async function findDialectSchemas(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ schema: string }>(
    `select nspname as schema
     from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where relname = 'installed_dialect' and relkind = 'r' and not relrowsecurity
       and has_schema_privilege(pg_namespace.oid, 'usage') and has_table_privilege(pg_class.oid, 'select')
     order by 1`,
  )
  return rows.map(({ schema }) => schema)
}

/** What is read of a schema that was found; undefined when it was dropped since. */
export async function unlessDropped<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof pg.DatabaseError && (error.code === '42P01' || error.code === '3F000'))
      return undefined
    throw error
  }
}

/** Which dialect a schema holds; undefined for none. */
export async function readInstalledDialect(
  db: Queryable,
  schema: string,
): Promise<InstalledDialect | undefined> {
  const table = `${escapeIdentifier(schema)}.installed_dialect`
  const { rows: found } = await db.query<{ found: boolean }>(
    `select exists (
       select from pg_class where oid = to_regclass($1) and relkind = 'r' and not relrowsecurity
     ) as found`,
    [table],
  )
  if (found[0]?.found !== true) return undefined
  const { rows } = await db.query<InstalledDialect>(`select name, engine_schema from ${table}`)
  return rows[0]
}

async function readStatus(db: Queryable, schema: string): Promise<DialectStatus[]> {
  const there = await readInstalledDialect(db, schema)
  if (there === undefined) return []
  return [{ schema, ...there, state: await readState(db, schema, there.name) }]
}

/** Compares everything but the grants, whose text depends on the roles. */
async function readState(
  db: Queryable,
  schema: string,
  name: string,
): Promise<DialectStatus['state']> {
  const dialect = dialects.find((known) => known.name === name)
  if (dialect === undefined) return 'unknown'
  const files = await filesOf(dialect)
  const installed = (await readInstalled(db, schema)) ?? []
  const states = compare(files, installed)
    .filter(({ path }) => path !== 'grants.sql' && path !== 'schema/installed_dialect.sql')
    .map(({ state }) => state)
  if (states.includes('newer')) return 'newer'
  return states.every((state) => state === 'applied') ? 'current' : 'behind'
}

const packaged = new Map<string, Promise<SqlFile[]>>()

/** A hundred files, read once: those of the version that runs. */
function filesOf({ name, directory }: Dialect): Promise<SqlFile[]> {
  const files = packaged.get(name) ?? readSqlFiles(directory)
  packaged.set(name, files)
  return files
}
