import type { Client } from 'pg'
import { walPosition, walSince } from '../../bench/measure/meter.ts'
import { readRelations } from '../../bench/measure/relations.ts'

/** What some work asked of the database: counts, which do not depend on how busy the machine is. */
export interface Cost {
  /** Statements, also those within functions. */
  readonly statements: number
  /** Bytes written to the log; the cluster writes no whole pages. */
  readonly wal: number
  /** Pages that were looked at. */
  readonly buffers: number
  /** Rows inserted, updated and deleted. */
  readonly rows: number
}

const statementsText = `
  select coalesce(sum(calls), 0)::float8 as statements,
         coalesce(sum(shared_blks_hit + shared_blks_read) filter (where toplevel), 0)::float8 as buffers
  from public.pg_stat_statements
  where userid = (select oid from pg_roles where rolname = current_user)
    and queryid is not null and query not like '%pg_stat%'`

/** Counts what `work` costs on this connection, which must be the only one that works. */
export async function costOf(db: Client, work: () => Promise<unknown>): Promise<Cost> {
  const before = await readRelations(db, [db])
  await db.query('select public.pg_stat_statements_reset()')
  const lsn = await walPosition(db)
  await work()
  const wal = await walSince(db, lsn)
  const { rows } = await db.query<{ statements: number; buffers: number }>(statementsText)
  const after = await readRelations(db, [db])
  const { statements = 0, buffers = 0 } = rows[0] ?? {}
  const written = (of: typeof after) => of.tupleWrites + of.inserts
  return { statements, wal, buffers, rows: written(after) - written(before) }
}

/** The same for other work in between. */
export function sum(costs: readonly Cost[]): Cost {
  const of = (name: keyof Cost) => costs.reduce((total, cost) => total + cost[name], 0)
  return { statements: of('statements'), wal: of('wal'), buffers: of('buffers'), rows: of('rows') }
}
