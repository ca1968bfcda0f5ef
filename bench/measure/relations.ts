import type { Client } from 'pg'

/** Statistics of the tables of one schema since they were created, and their sizes. */
export interface Relations {
  readonly tupleWrites: number
  readonly inserts: number
  readonly updates: number
  readonly hotUpdates: number
  readonly deadLeft: number
  readonly tableBytes: number
  readonly indexBytes: number
}

const text = `
  select sum(n_tup_upd + n_tup_del)::float8 as "tupleWrites",
         sum(n_tup_ins)::float8 as inserts,
         sum(n_tup_upd)::float8 as updates,
         sum(n_tup_hot_upd)::float8 as "hotUpdates",
         sum(n_dead_tup)::float8 as "deadLeft",
         sum(pg_table_size(relid))::float8 as "tableBytes",
         sum(pg_indexes_size(relid))::float8 as "indexBytes"
  from pg_stat_user_tables
  where schemaname = current_schema()`

/** Backends report their counts lazily, so each of the writers must flush its counts first. */
export async function readRelations(
  db: Client,
  writers: readonly Client[] = [],
): Promise<Relations> {
  for (const writer of writers) {
    await writer.query('select pg_stat_force_next_flush()')
    await writer.query('select 1')
  }
  await db.query('select pg_stat_clear_snapshot()')
  const { rows } = await db.query<Relations>(text)
  const [relations] = rows
  if (relations === undefined) throw new Error('pg_stat_user_tables answers nothing')
  return relations
}

/** So that all rounds begin in the same state, and no vacuum of one round runs in the next. */
export async function tidy(db: Client): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_stat_user_tables where schemaname = current_schema()`,
  )
  await db.query(`vacuum (analyze) ${rows.map(({ name }) => name).join(', ')}`)
}
