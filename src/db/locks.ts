import { escapeIdentifier } from 'pg'
import { TuskError } from '../lib/errors.ts'
import { redact } from '../lib/redact.ts'
import type { Queryable } from './queryable.ts'

const lockNotAvailable = '55P03'
const deadlockDetected = '40P01'

/** Failures that another transaction caused and that disappear once it has ended. */
export function isPassing(error: unknown): boolean {
  const code = sqlState(error)
  return code === lockNotAvailable || code === deadlockDetected || isRoleRace(error)
}

/** The error after the last try. It lists the sessions that hold the locks, as far as this login can see them. */
export async function schemaLocked(
  db: Queryable,
  schema: string,
  cause: unknown,
): Promise<TuskError> {
  const holders = await readHolders(db, schema)
  const hint =
    holders.length === 0
      ? 'Nothing was changed. The session that held the locks has released them by now: run it again.'
      : `Nothing was changed. Wait for these sessions, or end them with pg_terminate_backend(pid): ${holders.join('; ')}`
  return new TuskError(
    'schema_locked',
    `schema ${escapeIdentifier(schema)} cannot be migrated: its tables are in use`,
    { hint, cause },
  )
}

async function readHolders(db: Queryable, schema: string): Promise<string[]> {
  const { rows } = await db.query<{ pid: number; state: string | null; query: string | null }>(
    `select distinct pid, state, left(regexp_replace(query, '\\s+', ' ', 'g'), 120) as query
     from pg_locks
     join pg_class on pg_class.oid = relation
     join pg_stat_activity using (pid)
     where relnamespace = to_regnamespace($1)
       and pg_locks.database = (select oid from pg_database where datname = current_database())
       and granted
       and pid <> pg_backend_pid()
     order by pid`,
    [escapeIdentifier(schema)],
  )
  return rows.map(
    ({ pid, state, query }) => `pid ${pid} (${state ?? 'unknown'}): ${redact(query ?? '')}`,
  )
}

/** Roles belong to the whole cluster: an install into another schema may be changing the same ones. */
function isRoleRace(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // A role that another install has just created may be missing from this session's cache.
  const isUnseen = 'routine' in error && error.routine === 'get_role_oid'
  return isUnseen || error.message.includes('tuple concurrently')
}

function sqlState(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
