import { compare, type FileStatus, readInstalled } from '../db/installed.ts'
import type { Queryable } from '../db/queryable.ts'
import { isAppliedOnce } from '../db/sql-files.ts'
import type { Examination } from './examination.ts'
import { type ExamineOptions, examinationOf, findAll } from './examine.ts'
import type { Finding } from './finding.ts'
import { type IndexReport, indexes, type TableReport, tables } from './relations.ts'
import { type ServerReport, server } from './server.ts'
import {
  heldLocks,
  type LockCount,
  type LockWait,
  lockWaits,
  type SessionCount,
  sessions,
} from './sessions.ts'
import { type OpenTransaction, openTransactions, seesAllSessions } from './transactions.ts'

/** What there is to know of a database that an engine lives in, at one glance. */
export interface DatabaseReport {
  readonly server: ServerReport
  readonly connections: readonly SessionCount[]
  readonly locks: { readonly held: readonly LockCount[]; readonly waiting: readonly LockWait[] }
  /** The longest first. */
  readonly transactions: readonly OpenTransaction[]
  readonly relations: {
    readonly tables: readonly TableReport[]
    readonly indexes: readonly IndexReport[]
  }
  readonly migrations: readonly FileStatus[]
  /** What is wrong, without what is well. */
  readonly warnings: readonly Finding[]
  /** What this login may not see, in sentences. */
  readonly unseen: readonly string[]
}

const most = 20

/**
 * Reads catalogs and statistics only; counts nothing, changes nothing, needs no superuser. Asks for all
 * at once: a pool answers sooner then.
 */
export async function databaseReport(
  db: Queryable,
  options: ExamineOptions,
): Promise<DatabaseReport> {
  const at = examinationOf(db, options)
  const [
    findings,
    of,
    connections,
    held,
    waiting,
    transactions,
    allTables,
    allIndexes,
    files,
    seesAll,
  ] = await Promise.all([
    findAll(at, options.only),
    server(at),
    sessions(at),
    heldLocks(at),
    lockWaits(at, most),
    openTransactions(at, most),
    tables(at),
    indexes(at),
    migrations(at),
    seesAllSessions(at),
  ])
  return {
    server: of,
    connections,
    locks: { held, waiting },
    transactions,
    relations: { tables: allTables, indexes: allIndexes },
    migrations: files,
    warnings: findings.filter(({ level }) => level !== 'ok'),
    unseen: seesAll
      ? []
      : ['What sessions of other users do: this login is not a member of pg_read_all_stats.'],
  }
}

async function migrations({ db, schema, files }: Examination): Promise<FileStatus[]> {
  const installed = await readInstalled(db, schema)
  const all = compare(await files(), installed ?? [])
  return all.filter(({ path }) => isAppliedOnce(path))
}
