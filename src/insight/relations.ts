import { ask, type Examination } from './examination.ts'

/** A table of the engine, the days of what is finished each for themselves. */
export interface TableReport {
  readonly name: string
  readonly rows: number
  readonly dead: number
  readonly table_bytes: number
  readonly index_bytes: number
  readonly total_bytes: number
  readonly last_vacuum_at: Date | null
  readonly last_analyze_at: Date | null
}

/** Numbers are estimates of the server's; nothing is counted. */
export function tables(at: Examination): Promise<TableReport[]> {
  return ask<TableReport>(
    at,
    `select relname as name,
            greatest(reltuples, 0)::float8 as rows,
            pg_stat_get_dead_tuples(oid)::float8 as dead,
            pg_table_size(oid)::float8 as table_bytes,
            pg_indexes_size(oid)::float8 as index_bytes,
            pg_total_relation_size(oid)::float8 as total_bytes,
            greatest(pg_stat_get_last_vacuum_time(oid), pg_stat_get_last_autovacuum_time(oid)) as last_vacuum_at,
            greatest(pg_stat_get_last_analyze_time(oid), pg_stat_get_last_autoanalyze_time(oid)) as last_analyze_at
     from pg_class
     where relnamespace = to_regnamespace($1) and relkind = 'r'
     order by pg_total_relation_size(oid) desc, relname`,
    [at.quotedSchema],
  )
}

export interface IndexReport {
  readonly name: string
  readonly table: string
  readonly bytes: number
  readonly scans: number
  readonly is_valid: boolean
}

export function indexes(at: Examination): Promise<IndexReport[]> {
  return ask<IndexReport>(
    at,
    `select index.relname as name, owner.relname as table,
            pg_relation_size(index.oid)::float8 as bytes,
            coalesce(pg_stat_get_numscans(index.oid), 0)::float8 as scans,
            indisvalid and indisready as is_valid
     from pg_index
     join pg_class as index on index.oid = indexrelid
     join pg_class as owner on owner.oid = indrelid
     where owner.relnamespace = to_regnamespace($1) and index.relkind = 'i'
     order by 3 desc, 1`,
    [at.quotedSchema],
  )
}
