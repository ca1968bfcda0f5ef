import { ask, askStatements, type Examination } from './examination.ts'

/** How many sessions a role has, and what they do. */
export interface SessionCount {
  readonly user: string | null
  readonly application: string | null
  readonly state: string | null
  readonly count: number
}

export function sessions(at: Pick<Examination, 'db'>): Promise<SessionCount[]> {
  return ask<SessionCount>(
    at,
    `select usename as user, application_name as application, state, count(*)::integer as count
     from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend'
     group by 1, 2, 3
     order by 4 desc, 1, 2, 3`,
  )
}

/** A lock on a table of the engine that a session waits for, and the session that blocks it. */
export interface LockWait {
  readonly pid: number
  readonly user: string | null
  readonly relation: string | null
  readonly mode: string
  readonly seconds: number | null
  readonly query: string | null
  readonly blocked_by: number[]
}

export function lockWaits(at: Pick<Examination, 'db'>, limit: number): Promise<LockWait[]> {
  return askStatements<LockWait>(
    at,
    `select pg_locks.pid, usename as user, relation::regclass::text as relation, mode,
            date_part('epoch', clock_timestamp() - state_change)::float8 as seconds,
            left(regexp_replace(query, '\\s+', ' ', 'g'), 300) as query,
            pg_blocking_pids(pg_locks.pid) as blocked_by
     from pg_locks
     join pg_stat_activity using (pid)
     where not granted and datname = current_database()
     order by state_change
     limit $1`,
    [limit],
  )
}

/** How many locks of a kind are held on a table of the engine. */
export interface LockCount {
  readonly relation: string
  readonly mode: string
  readonly held: number
}

export function heldLocks(at: Examination): Promise<LockCount[]> {
  return ask<LockCount>(
    at,
    `select relname as relation, mode, count(*)::integer as held
     from pg_locks
     join pg_class on pg_class.oid = relation
     where granted and relnamespace = to_regnamespace($1) and relkind in ('r', 'p') and pid <> pg_backend_pid()
       and pg_locks.database = (select oid from pg_database where datname = current_database())
     group by 1, 2
     order by 3 desc, 1, 2`,
    [at.quotedSchema],
  )
}
