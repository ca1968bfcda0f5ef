import { escapeIdentifier } from 'pg'
import type { Queryable } from '../db/queryable.ts'
import { TuskError } from '../lib/errors.ts'
import type { DialectPlace } from './dialect.ts'
import { readInstalledDialect } from './list-dialects.ts'

/** Refuses a schema that holds anything but this dialect over this engine. */
export async function requireFreeSchema(
  db: Queryable,
  { dialect, schema, engineSchema }: DialectPlace,
): Promise<void> {
  const name = escapeIdentifier(schema)
  if (schema === engineSchema) {
    throw new TuskError('invalid_argument', `the schema ${name} is that of the engine`, {
      hint: 'A dialect needs a schema of its own.',
    })
  }
  const there = await readInstalledDialect(db, schema)
  if (there === undefined) return requireEmpty(db, schema)
  if (there.name === dialect.name && there.engine_schema === engineSchema) return
  const what = `${there.name} over the engine in ${escapeIdentifier(there.engine_schema)}`
  throw new TuskError('invalid_argument', `the schema ${name} already holds ${what}`, {
    hint: 'Name another schema, or drop this one with all that is in it.',
  })
}

async function requireEmpty(db: Queryable, schema: string): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = to_regnamespace($1)
     union all
     select proname from pg_proc where pronamespace = to_regnamespace($1)
     order by 1
     limit 1`,
    [escapeIdentifier(schema)],
  )
  if (rows[0] === undefined) return
  const name = escapeIdentifier(schema)
  throw new TuskError(
    'invalid_argument',
    `the schema ${name} is not empty: it has ${rows[0].name}`,
    {
      hint: 'Name another schema, or rename that one: installing a dialect revokes the rights of all roles but those of Tusk.',
    },
  )
}
