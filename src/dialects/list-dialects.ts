import { escapeIdentifier } from 'pg'
import { compare, readInstalled } from '../db/installed.ts'
import type { Queryable } from '../db/queryable.ts'
import { readSqlFiles } from '../db/sql-files.ts'
import { type Target, withClient } from '../db/with-client.ts'
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
  return withClient(target, async (client) => {
    const { rows } = await client.query<{ schema: string }>(
      `select nspname as schema
       from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where relname = 'installed_dialect' and relkind = 'r'
       order by 1`,
    )
    const found: DialectStatus[] = []
    for (const { schema } of rows) found.push(...(await readStatus(client, schema)))
    return found
  })
}

/** Which dialect a schema holds; undefined for none. */
export async function readInstalledDialect(
  db: Queryable,
  schema: string,
): Promise<InstalledDialect | undefined> {
  const table = `${escapeIdentifier(schema)}.installed_dialect`
  const { rows: found } = await db.query<{ found: boolean }>(
    'select to_regclass($1) is not null as found',
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
  const files = await readSqlFiles(dialect.directory)
  const installed = (await readInstalled(db, schema)) ?? []
  const states = compare(files, installed)
    .filter(({ path }) => path !== 'grants.sql' && path !== 'migrations/0000_stands_on.sql')
    .map(({ state }) => state)
  if (states.includes('newer')) return 'newer'
  return states.every((state) => state === 'applied') ? 'current' : 'behind'
}
