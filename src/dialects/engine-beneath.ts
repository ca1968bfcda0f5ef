import { escapeIdentifier } from 'pg'
import { checkSchema } from '../db/installed.ts'
import type { Queryable } from '../db/queryable.ts'
import { TuskError } from '../lib/errors.ts'

/** Refuses to build on an engine that is not there, is older than this version, or belongs to another role. */
export async function requireEngine(db: Queryable, schema: string): Promise<void> {
  const name = escapeIdentifier(schema)
  const state = await checkSchema(db, schema)
  if (state === 'missing') {
    throw new TuskError('schema_missing', `Tusk is not installed in the schema ${name}`, {
      hint: 'Run `tusk migrate up` first, or name the schema of the engine.',
    })
  }
  if (state === 'behind') {
    throw new TuskError(
      'schema_behind',
      `the engine in the schema ${name} is of an older version`,
      {
        hint: 'Run `tusk migrate up` first.',
      },
    )
  }
  await requireOwner(db, schema)
}

async function requireOwner(db: Queryable, schema: string): Promise<void> {
  const { rows } = await db.query<{ owner: string; is_ours: boolean }>(
    `select pg_get_userbyid(nspowner) as owner, pg_has_role(nspowner, 'usage') as is_ours
     from pg_namespace where nspname = $1`,
    [schema],
  )
  if (rows[0]?.is_ours !== false) return
  const name = escapeIdentifier(schema)
  throw new TuskError(
    'invalid_argument',
    `the engine in the schema ${name} belongs to another role`,
    {
      hint: `A dialect calls the engine with the rights of its installer: install it as ${rows[0].owner}.`,
    },
  )
}

/** What the names of the engine's roles start with; empty when it has none. */
export async function readEngineRoles(db: Queryable, schema: string): Promise<string> {
  const { rows } = await db.query<{ prefix: string }>(
    `select left(rolname, -length('_producer')) as prefix
     from pg_class, aclexplode(relacl) as given
     join pg_roles on pg_roles.oid = given.grantee
     where pg_class.oid = to_regclass($1) and rolname like '%\\_producer'
     order by pg_roles.oid desc
     limit 1`,
    [`${escapeIdentifier(schema)}.installed`],
  )
  return rows[0]?.prefix ?? ''
}
