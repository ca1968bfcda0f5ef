import { escapeIdentifier } from 'pg'
import type { Queryable } from '../db/queryable.ts'
import { TuskError } from '../lib/errors.ts'
import type { Source } from './source.ts'

/** Rejects a schema that is missing, of another version, or lacks what the import reads. Gives it quoted. */
export async function requireSource(
  db: Queryable,
  source: Pick<Source, 'name' | 'columns' | 'version' | 'versions'>,
  schema: string,
): Promise<string> {
  const found = await readColumns(db, schema)
  if (found === undefined) {
    throw new TuskError('invalid_argument', `there is no schema "${schema}" in this database`, {
      hint: `Name the schema of ${source.name} with --from-schema. Tusk must be in the same database: tusk migrate up.`,
    })
  }
  const quoted = escapeIdentifier(schema)
  const versionTable = Object.keys(source.columns)[0] as string
  const version = found.has(versionTable) ? await source.version(db, quoted) : null
  requireVersion(source, schema, version)
  const lack = version === null && found.has(versionTable) ? `no row in ${versionTable}` : undefined
  requireColumns(source, schema, found, lack)
  return quoted
}

type Known = Pick<Source, 'name' | 'columns' | 'versions'>

function requireVersion({ name, versions }: Known, schema: string, version: number | null): void {
  const { from, to, ofPackage } = versions
  if (version === null || (version >= from && version <= to)) return
  const range = from === to ? `version ${to}` : `versions ${from} to ${to}`
  throw new TuskError(
    'invalid_argument',
    `the schema "${schema}" has version ${version} of ${name}; the import reads ${range}`,
    { hint: `Bring it to ${ofPackage} first: ${name} migrates its schema when it starts.` },
  )
}

function requireColumns(
  { name, columns, versions }: Known,
  schema: string,
  found: ReadonlyMap<string, ReadonlySet<string>>,
  otherLack: string | undefined,
): void {
  const missing = Object.entries(columns)
    .flatMap(([table, names]) => names.map((column) => ({ table, column })))
    .find(({ table, column }) => !found.get(table)?.has(column))
  const lack = missing === undefined ? otherLack : `no column ${missing.table}.${missing.column}`
  if (lack === undefined) return
  throw new TuskError(
    'invalid_argument',
    `the schema "${schema}" is not one of ${name}, or is damaged: it has ${lack}`,
    { hint: `Check --from-schema; the import knows the schema of ${versions.ofPackage}.` },
  )
}

/** The columns by table; nothing if there is no such schema. */
async function readColumns(
  db: Queryable,
  schema: string,
): Promise<Map<string, ReadonlySet<string>> | undefined> {
  const { rows } = await db.query<{ table: string | null; columns: string[] }>(
    `select class.relname as table, array_agg(attribute.attname::text) as columns
     from pg_namespace as namespace
     left join pg_class as class on class.relnamespace = namespace.oid and class.relkind in ('r', 'p')
     left join pg_attribute as attribute
       on attribute.attrelid = class.oid and attribute.attnum > 0 and not attribute.attisdropped
     where namespace.nspname = $1 group by 1`,
    [schema],
  )
  if (rows.length === 0) return undefined
  return new Map(rows.map(({ table, columns }) => [table ?? '', new Set(columns)]))
}
