import pg from 'pg'
import type { OpenedProcedure, RegisteredStatement, SqlRunReport } from '../engine/running-sql.ts'
import { toTimerMs } from '../lib/duration.ts'
import { TuskError } from '../lib/errors.ts'
import { homeOf } from '../runners/sql/connections/places.ts'
import { Targets } from '../runners/sql/connections/targets.ts'
import { ScriptReader } from '../runners/sql/parser/script.ts'
import { SqlParser } from '../runners/sql/parser/sql-parser.ts'
import { PayloadFault, type SqlPayload } from '../runners/sql/read-payload.ts'
import { Sessions } from '../runners/sql/session/sessions.ts'
import { type SqlJob, SqlRunner } from '../runners/sql/sql-runner.ts'
import { openSqlTracing, type SqlTracing } from '../runners/sql/tracing.ts'
import { connectionConfig } from './connections/connection-config.ts'
import type { Core } from './core.ts'
import type { OpenedOptions } from './options.ts'
import { SqlProgress } from './report/sql-progress.ts'
import { SqlRuns } from './report/sql-runs.ts'
import { ownTargets } from './sql-logins.ts'
import type { SqlOptions } from './sql-options.ts'

export interface SqlPart {
  readonly runner: SqlRunner
  close(): Promise<void>
}

/** The part of a worker that runs SQL tasks; nothing is loaded or connected before the first of them. */
export function openSql(core: Core, options: OpenedOptions): SqlPart | undefined {
  const { sql = false, database } = options
  if (sql === false) return undefined
  const given: SqlOptions = sql === true ? {} : sql
  const { settings, verbs, connections, log } = core
  const schema = pg.escapeIdentifier(settings.schema)
  const completing = `select ${schema}.complete($1, $2, $3::pg_catalog.jsonb, $4::pg_catalog.timestamptz)`
  const targets = openTargets(core, given, database)
  const tell = (begun: readonly SqlRunReport[], ended: readonly string[]) =>
    connections.borrow((db) => verbs.reportSql(db, begun, ended))
  const runs = new SqlRuns(tell, log)
  const progress = new SqlProgress(
    (held, said) => connections.borrow((db) => verbs.progress(db, held, said)),
    log,
  )
  const parser = new SqlParser()
  let tracing: Promise<SqlTracing> | undefined
  const runner = new SqlRunner({
    sessions: new Sessions({
      idleMs: toTimerMs('sql.idleMs', given.idleMs ?? 30_000),
      mostIdle: settings.concurrency,
    }),
    scripts: new ScriptReader(parser),
    tracing: () => {
      tracing ??= openSqlTracing()
      return tracing
    },
    own: ownTargets(given, database),
    targetOf: (connection) => targets.of(connection),
    statement: (name) => readStatement(core, name),
    procedure: (job, payload) => openProcedure(core, job, payload),
    completing: (job, output) => ({
      text: completing,
      values: [job.id, job.claim, output, job.startedAt()],
    }),
    onRunning: ({ id, claim }, { pid }, { name = null }, isAnnounced) => {
      const run = { id, claim, pid, connection: name }
      if (isAnnounced) return runs.announce(run)
      runs.begun(run)
      return undefined
    },
    onProgress: (job, said) => progress.said(job, said),
    onEnded: ({ id }) => {
      progress.ended(id)
      runs.ended(id)
    },
    limits: { maxRows: given.maxRows ?? 1_000, maxBytes: given.maxBytes ?? 900_000 },
    graceMs: toTimerMs('sql.graceMs', given.graceMs ?? 2_000),
  })
  return {
    runner,
    close: async () => {
      runner.close()
      parser.close()
      await runs.close()
    },
  }
}

/** Databases elsewhere, as far as this worker knows their secrets. */
function openTargets(
  { verbs, connections }: Core,
  given: SqlOptions,
  database: OpenedOptions['database'],
): Targets {
  return new Targets({
    // The login of the sessions, where they have one: a string that says nothing must not lead past it.
    home: () => homeOf(connectionConfig(given.database ?? database)),
    readConnection: (name) => connections.borrow((db) => verbs.readConnection(db, name)),
    secrets: {
      callbacks: given.connections ?? {},
      variables: given.secretVariables,
      folders: given.secretFolders ?? ['/run/secrets'],
      hosts: given.secretHosts ?? {},
    },
    allowsStrings: given.allowConnectionStrings ?? false,
  })
}

async function readStatement(
  { verbs, connections }: Core,
  name: string,
): Promise<RegisteredStatement> {
  const found = await connections.borrow((db) => verbs.readStatement(db, name))
  if (found === undefined) throw new PayloadFault(`there is no statement named ${name}`)
  return found
}

/** What cannot be run now cannot be run by the next attempt. */
async function openProcedure(
  { verbs, connections }: Core,
  job: SqlJob,
  { procedure = '', args = [] }: SqlPayload,
): Promise<OpenedProcedure> {
  try {
    return await connections.borrow((db) => verbs.openProcedure(db, job, procedure, args))
  } catch (error) {
    if (!(error instanceof TuskError) || error.code !== 'invalid_argument') throw error
    throw new PayloadFault(error.message, { cause: error })
  }
}
