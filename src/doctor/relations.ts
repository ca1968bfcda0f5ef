import { ask, type Examination } from './examination.ts'

/** A table of the engine, the days of what is finished each for themselves. */
export interface TableReport {
  readonly name: string
  readonly rows: number
  readonly dead: number
  /** Null while another session holds an exclusive lock on it: asking would wait for that session. */
  readonly table_bytes: number | null
  readonly index_bytes: number | null
  readonly total_bytes: number | null
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
            case when not is_shut then pg_table_size(oid)::float8 end as table_bytes,
            case when not is_shut then pg_indexes_size(oid)::float8 end as index_bytes,
            case when not is_shut then pg_total_relation_size(oid)::float8 end as total_bytes,
            greatest(pg_stat_get_last_vacuum_time(oid), pg_stat_get_last_autovacuum_time(oid)) as last_vacuum_at,
            greatest(pg_stat_get_last_analyze_time(oid), pg_stat_get_last_autoanalyze_time(oid)) as last_analyze_at
     from pg_class
     cross join lateral (select ${isShut('oid')}) as lock (is_shut)
     where relnamespace = to_regnamespace($1) and relkind = 'r'
     order by total_bytes desc nulls last, relname`,
    [at.quotedSchema],
  )
}

export interface IndexReport {
  readonly name: string
  readonly table: string
  readonly bytes: number | null
  readonly scans: number
  readonly is_valid: boolean
}

export function indexes(at: Examination): Promise<IndexReport[]> {
  return ask<IndexReport>(
    at,
    `select index.relname as name, owner.relname as table,
            case when not ${isShut('index.oid')} then pg_relation_size(index.oid)::float8 end as bytes,
            coalesce(pg_stat_get_numscans(index.oid), 0)::float8 as scans,
            indisvalid and indisready as is_valid
     from pg_index
     join pg_class as index on index.oid = indexrelid
     join pg_class as owner on owner.oid = indrelid
     where owner.relnamespace = to_regnamespace($1) and index.relkind = 'i'
     order by bytes desc nulls last, name`,
    [at.quotedSchema],
  )
}

function isShut(oid: string): string {
  return `exists (
    select from pg_locks
    where relation = ${oid} and mode = 'AccessExclusiveLock' and granted and pid <> pg_backend_pid()
  )`
}
