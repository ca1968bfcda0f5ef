import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { inject } from 'vitest'
import { emptySchema } from '../../src/testing/empty-schema.ts'

/**
 * Schemas with an engine in them that a file of tests is done with, for the files after it: to install
 * one takes longer than many a file. Only those that are as they were installed are kept.
 */
const directory = () => join(inject('runDirectory'), 'schemas')

/** A schema that is free now; undefined when there is none. */
export async function takeSchema(): Promise<string | undefined> {
  for (const name of await readdir(directory()).catch(() => [])) {
    if (name.endsWith('.taken')) continue
    const file = join(directory(), name)
    // The session that renames it has it.
    const isOurs = await rename(file, `${file}.taken`).then(
      () => true,
      () => false,
    )
    if (isOurs) return name
  }
  return undefined
}

/** Remembers what a schema is like when it was just installed. */
export async function rememberSchema(pool: pg.Pool, schema: string): Promise<void> {
  await mkdir(directory(), { recursive: true })
  await writeFile(join(directory(), `${schema}.taken`), await shapeOf(pool, schema))
}

/** Lets others have a schema, if it is as it was; else drops it. */
export async function giveSchema(pool: pg.Pool, schema: string): Promise<void> {
  const file = join(directory(), `${schema}.taken`)
  const before = await readFile(file, 'utf8').catch(() => '')
  await emptySchema(pool, schema)
  if (before === (await shapeOf(pool, schema))) {
    await rename(file, join(directory(), schema))
  } else {
    await pool.query(`drop schema ${schema} cascade`)
  }
}

/** Everything of a schema that a test could have changed and emptySchema() leaves. */
async function shapeOf(pool: pg.Pool, schema: string): Promise<string> {
  const { rows } = await pool.query<{ shape: string }>(
    `with place as (select $1::text::regnamespace as id)
     select md5(string_agg(part, e'\\n' order by part)) as shape
     from (
       select concat_ws('|', 'function', oid::regprocedure::text, prosrc, proacl::text, proconfig::text, prosecdef, provolatile)
       from pg_proc where pronamespace = (select id from place)
       union all
       select concat_ws('|', 'relation', relname, relkind, relacl::text, reloptions::text, relpersistence, relrowsecurity)
       from pg_class where relnamespace = (select id from place)
       union all
       select concat_ws('|', 'column', attrelid::regclass::text, attname, atttypid, attnotnull, attacl::text)
       from pg_attribute where attrelid in (select oid from pg_class where relnamespace = (select id from place)) and not attisdropped
       union all
       select concat_ws('|', 'constraint', conname, conrelid::regclass::text, convalidated, pg_get_constraintdef(oid))
       from pg_constraint where connamespace = (select id from place)
       union all
       select concat_ws('|', 'trigger', tgname, tgrelid::regclass::text, tgenabled)
       from pg_trigger where tgrelid in (select oid from pg_class where relnamespace = (select id from place)) and not tgisinternal
       union all
       select concat_ws('|', 'index', indexrelid::regclass::text, indisvalid, pg_get_indexdef(indexrelid))
       from pg_index where indexrelid in (select oid from pg_class where relnamespace = (select id from place))
       union all
       select concat_ws('|', 'view', viewname, definition) from pg_views where schemaname = (select id::text from place)
       union all
       select concat_ws('|', 'schema', nspacl::text, nspowner) from pg_namespace where oid = (select id from place)
       union all
       select concat_ws('|', 'installed', installed::text) from ${schema}.installed
     ) as parts (part)`,
    [schema],
  )
  return rows[0]?.shape ?? ''
}
