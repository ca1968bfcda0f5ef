import type { Json } from '../engine/task.ts'
import { type Duration, toInterval } from '../lib/duration.ts'
import { requireOptions } from '../lib/require-known.ts'
import { type EnqueueOptions, enqueueOptions, type RawTask } from '../tasks/enqueue-options.ts'

/** How a SQL task is enqueued, besides what every task can say. */
export interface SqlTaskOptions extends EnqueueOptions {
  /**
   * Where it runs: the name of a registered connection, or a connection string where the workers allow
   * that. Left out: in the engine's own database, and exactly once where Postgres allows it.
   */
  readonly connection?: string | { readonly dsn: string } | undefined
  /** The role it runs as; whoever enqueues it, unless told otherwise. */
  readonly role?: string | undefined
  /** Settings for the run, such as `{ lock_timeout: '5s' }`. */
  readonly settings?: Readonly<Record<string, string | number | boolean>> | undefined
  readonly searchPath?: string | undefined
  /** The most rows that are kept of one result; 1,000 unless the worker says otherwise. */
  readonly maxRows?: number | undefined
  /** Which sessions it may share with others, and whether it leaves its own as it is. */
  readonly session?: SqlSessionOptions | undefined
}

export interface SqlSessionOptions {
  /** A session is used for so long after it was opened. */
  readonly live?: Duration | undefined
  /** A session runs so many tasks. */
  readonly count?: number | undefined
  /** Settings, temporary tables and locks stay for the next task of this scope and role. */
  readonly save?: boolean | undefined
  /** Sessions are shared among tasks of one scope. */
  readonly scope?: string | undefined
}

const sqlOptions = {
  connection: true,
  role: true,
  settings: true,
  searchPath: true,
  maxRows: true,
  session: true,
} as const

const sessionOptions = { live: true, count: true, save: true, scope: true } as const

/** A task that runs SQL, in the form in which any task is enqueued. */
export function sqlTask(sql: string, options: SqlTaskOptions): RawTask {
  requireOptions('sql()', options, {
    ...enqueueOptions,
    ...sqlOptions,
  })
  requireOptions('the session of sql()', options.session, sessionOptions)
  const { connection, role, settings, searchPath, maxRows, session, ...rest } = options
  const payload = {
    sql,
    connection,
    role,
    settings,
    search_path: searchPath,
    max_rows: maxRows,
    session:
      session === undefined
        ? undefined
        : { ...session, live: toInterval('session.live', session.live) },
  }
  return { ...rest, queue: rest.queue ?? 'sql', kind: 'sql', payload }
}

/** A task that runs a registered statement. */
export function statementTask(
  statement: string,
  params: Readonly<Record<string, Json>> | readonly Json[] | undefined,
  given: EnqueueOptions & Pick<SqlTaskOptions, 'maxRows'>,
): RawTask {
  requireOptions('statement()', given, { ...enqueueOptions, maxRows: true })
  const { maxRows, ...options } = given
  const payload = { statement, params, max_rows: maxRows }
  return { ...options, queue: options.queue ?? 'sql', kind: 'sql', payload }
}
