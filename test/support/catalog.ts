import pg from 'pg'

interface Names {
  readonly schema: string
  /** What the names of its roles start with. */
  readonly roles: string
}

/**
 * Everything Postgres knows about a schema, one line per fact, its own name and its roles' masked:
 * two schemas with equal descriptions behave the same.
 */
export async function describeSchema(db: pg.Pool, names: Names): Promise<string[]> {
  const client = await db.connect()
  try {
    // So that nothing is visible by path and every name comes with its schema.
    await client.query('begin; set local search_path = pg_catalog')
    const facts: string[] = []
    for (const [kind, query] of Object.entries(queries)) {
      const { rows } = await client.query<{ fact: string }>(query, [names.schema])
      facts.push(...rows.map(({ fact }) => `${kind}: ${mask(fact, names)}`))
    }
    const { rows } = await client.query<{ fact: string }>(installedFacts(names.schema))
    return [...facts, ...rows.map(({ fact }) => `installed: ${mask(fact, names)}`)]
  } finally {
    await client.query('rollback')
    client.release()
  }
}

function mask(fact: string, { schema, roles }: Names): string {
  return fact
    .replaceAll(pg.escapeIdentifier(schema), '<schema>')
    .replaceAll(schema, '<schema>')
    .replaceAll(`${roles}_`, '<roles>_')
}

function installedFacts(schema: string): string {
  return `
    select concat_ws(' ', path, hash, is_breaking, creates) as fact
    from ${pg.escapeIdentifier(schema)}.installed
    order by path`
}

/** Sorted: the order in which rights were given says nothing about them. */
function rights(acl: string): string {
  return `(select array_agg(item::text order by item::text) from unnest(${acl}) as item)`
}

/** Options without pg_attver, a number that Debian's Postgres 15.20 gives each column when it is made. */
function options(list: string): string {
  return `(select array_agg(item order by item) from unnest(${list}) as item where item not like 'pg_attver=%')`
}

const own = `(select oid from pg_namespace where nspname = $1)`

/** Each takes the schema's name and gives one row per fact, in an order that does not depend on oids. */
const queries: Readonly<Record<string, string>> = {
  schema: `
    select concat_ws(' ', nspname, pg_get_userbyid(nspowner), ${rights('nspacl')}) as fact
    from pg_namespace
    where oid = ${own}`,
  relation: `
    select concat_ws(' ', relname, relkind, relpersistence, relispartition, reloptions,
      pg_get_partkeydef(oid), pg_get_expr(relpartbound, oid), relrowsecurity, relreplident,
      ${rights('relacl')}) as fact
    from pg_class
    where relnamespace = ${own}
    order by relname`,
  column: `
    select concat_ws(' ', attrelid::regclass, row_number() over (partition by attrelid order by attnum),
      attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, attstorage,
      attstattarget, attcollation::regcollation, ${options('attoptions')}, ${rights('attacl')},
      pg_get_expr(adbin, adrelid)) as fact
    from pg_attribute
    join pg_class on pg_class.oid = attrelid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = ${own} and relkind in ('r', 'p', 'v') and attnum > 0 and not attisdropped
    order by relname, attnum`,
  constraint: `
    select concat_ws(' ', conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid)) as fact
    from pg_constraint
    where connamespace = ${own}
    order by conrelid::regclass::text, conname`,
  index: `
    select concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid, indisclustered) as fact
    from pg_index
    join pg_class on pg_class.oid = indexrelid
    where relnamespace = ${own}
    order by relname`,
  sequence: `
    select concat_ws(' ', seqrelid::regclass, format_type(seqtypid, null), seqstart, seqincrement, seqmin,
      seqmax, seqcache, seqcycle) as fact
    from pg_sequence
    join pg_class on pg_class.oid = seqrelid
    where relnamespace = ${own}
    order by relname`,
  routine: `
    select concat_ws(' ', pg_get_functiondef(oid), ${rights('proacl')}) as fact
    from pg_proc
    where pronamespace = ${own}
    order by oid::regprocedure::text`,
  view: `
    select concat_ws(' ', oid::regclass, pg_get_viewdef(oid)) as fact
    from pg_class
    where relnamespace = ${own} and relkind = 'v'
    order by relname`,
  trigger: `
    select concat_ws(' ', pg_get_triggerdef(pg_trigger.oid), tgenabled) as fact
    from pg_trigger
    join pg_class on pg_class.oid = tgrelid
    where relnamespace = ${own} and not tgisinternal
    order by relname, tgname`,
  type: `
    select concat_ws(' ', format_type(pg_type.oid, null), typtype, ${rights('typacl')},
      array(select enumlabel from pg_enum where enumtypid = pg_type.oid order by enumsortorder)) as fact
    from pg_type
    where typnamespace = ${own} and typcategory <> 'A'
    order by typname`,
  policy: `
    select concat_ws(' ', tablename, policyname, cmd, roles, qual, with_check) as fact
    from pg_policies
    where schemaname = $1
    order by tablename, policyname`,
  default_acl: `
    select concat_ws(' ', defaclobjtype, ${rights('defaclacl')}) as fact
    from pg_default_acl
    where defaclnamespace = ${own}
    order by 1`,
}
