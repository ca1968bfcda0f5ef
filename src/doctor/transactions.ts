import { askOne, askStatements, type Examination } from './examination.ts'

/** A transaction that is open, of any session that may be seen. */
export interface OpenTransaction {
  readonly pid: number
  readonly user: string | null
  readonly application: string | null
  readonly state: string | null
  readonly seconds: number
  readonly wait_event: string | null
  readonly holds_back_vacuum: boolean
  readonly query: string | null
}

/** The longest first. Sessions of others show nothing of themselves without pg_read_all_stats. */
export function openTransactions(
  at: Pick<Examination, 'db'>,
  limit: number,
): Promise<OpenTransaction[]> {
  return askStatements<OpenTransaction>(
    at,
    `select pid, usename as user, application_name as application, state,
            date_part('epoch', clock_timestamp() - xact_start)::float8 as seconds,
            wait_event,
            backend_xmin is not null or backend_xid is not null as holds_back_vacuum,
            left(regexp_replace(query, '\\s+', ' ', 'g'), 300) as query
     from pg_stat_activity
     where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
       and backend_type = 'client backend'
     order by xact_start
     limit $1`,
    [limit],
  )
}

/** A session that is idle in a transaction in which it locked rows of the engine. */
export interface Holder {
  readonly pid: number
  readonly user: string | null
  readonly application: string | null
  readonly address: string | null
  readonly seconds: number
  readonly tables: string[]
  readonly query: string | null
}

/** Idle the longest first. Callers that need those rows wait for them. */
export function idleHolders(
  at: Pick<Examination, 'db' | 'quotedSchema'>,
  seconds: number,
): Promise<Holder[]> {
  return askStatements<Holder>(
    at,
    `select activity.pid, usename as user, application_name as application, client_addr::text as address,
            date_part('epoch', clock_timestamp() - max(state_change))::float8 as seconds,
            array_agg(distinct relname::text order by relname::text) as tables,
            left(regexp_replace(max(query), '\\s+', ' ', 'g'), 300) as query
     from pg_locks
     join pg_class on pg_class.oid = relation
     join pg_stat_activity as activity using (pid)
     where relnamespace = to_regnamespace($1) and relkind in ('r', 'p') and granted
       and pg_locks.database = (select oid from pg_database where datname = current_database())
       and mode not in ('AccessShareLock', 'ShareUpdateExclusiveLock')
       and state like 'idle in transaction%' and activity.pid <> pg_backend_pid()
       and state_change < clock_timestamp() - $2::float8 * interval '1 second'
     group by activity.pid, usename, application_name, client_addr
     order by max(state_change)
     limit 20`,
    [at.quotedSchema, seconds],
  )
}

/** Whether the sessions of other users may be seen. */
export async function seesAllSessions(at: Pick<Examination, 'db'>): Promise<boolean> {
  const { sees } = await askOne<{ sees: boolean }>(
    at,
    `select pg_has_role('pg_read_all_stats', 'usage') as sees`,
  )
  return sees
}
