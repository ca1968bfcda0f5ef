import pg from 'pg'
import { loadParser, ScriptReader } from '../sql/script.ts'
import { Sessions } from '../sql/sessions.ts'
import { SqlRunner } from '../sql/sql-runner.ts'
import { connectionConfig } from './connection-config.ts'
import type { Core } from './core.ts'
import type { WorkerOptions } from './options.ts'
import type { SqlOptions } from './sql-options.ts'

export interface SqlPart {
  readonly runner: SqlRunner
  close(): Promise<void>
}

/** The part of a worker that runs SQL tasks; nothing is loaded or connected before the first of them. */
export function openSql(core: Core, options: WorkerOptions): SqlPart | undefined {
  const { sql = false, database } = options
  if (sql === false) return undefined
  const given: SqlOptions = sql === true ? {} : sql
  const { settings, verbs, connections } = core
  const schema = pg.escapeIdentifier(settings.schema)
  const completing = `select ${schema}.complete($1, $2, $3::jsonb, $4::timestamptz)`
  const config = () => sessionConfig(connectionConfig(given.database ?? database))
  let scripts: Promise<ScriptReader> | undefined
  const runner = new SqlRunner({
    sessions: new Sessions({ idleMs: given.idleMs ?? 30_000, mostIdle: settings.concurrency }),
    scripts: () => {
      scripts ??= loadParser().then((parse) => new ScriptReader(parse))
      return scripts
    },
    own: { key: '', configs: async () => [config()] },
    ownCompletes: given.database === undefined,
    targetOf: () => Promise.reject(new Error('this worker knows no other databases')),
    statement: async (name) => {
      const found = await connections.borrow((db) => verbs.readStatement(db, name))
      if (found === undefined) throw new Error(`there is no statement ${name}`)
      return found
    },
    completing: (job, output) => ({
      text: completing,
      values: [job.id, job.claim, output, job.startedAt()],
    }),
    onRunning: () => {},
    onEnded: () => {},
    limits: { maxRows: given.maxRows ?? 1_000, maxBytes: given.maxBytes ?? 900_000 },
    graceMs: given.graceMs ?? 2_000,
  })
  return {
    runner,
    close: async () => runner.close(),
  }
}

/** A backend whose worker died notices it while a statement runs, and undoes it. */
function sessionConfig(config: pg.ClientConfig): pg.ClientConfig {
  const options = [config.options, '-c client_connection_check_interval=1s']
    .filter(Boolean)
    .join(' ')
  return { ...config, options, application_name: 'tusk sql', query_timeout: undefined }
}
