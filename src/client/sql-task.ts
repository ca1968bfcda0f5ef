import type { Json } from '../engine/task.ts'
import { type Duration, toInterval } from '../lib/duration.ts'
import { requireOptions } from '../lib/require-known.ts'
import { type EnqueueOptions, enqueueOptions, type RawTask } from '../tasks/enqueue-options.ts'

/** How to enqueue a SQL task, in addition to the options of every task. */
export interface SqlTaskOptions extends EnqueueOptions {
  /**
   * Where it runs: the name of a registered connection, or a connection string if the workers allow that. Default: the
   * engine's own database, where it runs exactly once if Postgres allows it.
   */
  readonly connection?: string | { readonly dsn: string } | undefined
  /** The role it runs as. Default: the role that enqueues it. */
  readonly role?: string | undefined
  /** Settings for the run, such as `{ lock_timeout: '5s' }`. */
  readonly settings?: Readonly<Record<string, string | number | boolean>> | undefined
  readonly searchPath?: string | undefined
  /** The most rows that are kept of one result. Default: the setting of its queue or of the worker, else 1,000. */
  readonly maxRows?: number | undefined
  /** The most bytes of the output, as JSON. Default: the setting of its queue or of the worker, else 900,000. */
  readonly maxBytes?: number | undefined
  /**
   * Keeps the whole output, up to 200,000,000 bytes; a larger one is an error. By default the output is truncated and
   * marked `cut`.
   */
  readonly whole?: boolean | undefined
  /** Which tasks it may share a session with, and whether it leaves the session as it is. */
  readonly session?: SqlSessionOptions | undefined
}

/** How long the session of a SQL task lives, and which tasks share it. */
export interface SqlSessionOptions {
  /** How long a session is used after it was opened. */
  readonly live?: Duration | undefined
  /** How many tasks a session runs. */
  readonly count?: number | undefined
  /** Keeps settings, temporary tables and locks for the next task of the same scope and role. */
  readonly save?: boolean | undefined
  /** Tasks with the same scope share sessions. */
  readonly scope?: string | undefined
}

const sqlOptions = {
  connection: true,
  role: true,
  settings: true,
  searchPath: true,
  maxRows: true,
  maxBytes: true,
  whole: true,
  session: true,
} as const

const sessionOptions = { live: true, count: true, save: true, scope: true } as const

/** Builds the task that runs SQL. */
export function sqlTask(sql: string, options: SqlTaskOptions): RawTask {
  requireOptions('sql()', options, {
    ...enqueueOptions,
    ...sqlOptions,
  })
  requireOptions('the session of sql()', options.session, sessionOptions)
  const { connection, role, settings, searchPath, maxRows, maxBytes, whole, session, ...rest } =
    options
  const payload = {
    sql,
    connection,
    role,
    settings,
    search_path: searchPath,
    max_rows: maxRows,
    max_bytes: maxBytes,
    whole,
    session:
      session === undefined
        ? undefined
        : { ...session, live: toInterval('session.live', session.live) },
  }
  return { ...rest, queue: rest.queue ?? 'sql', kind: 'sql', payload }
}

/** Builds the task that runs a registered statement. */
export function statementTask(
  statement: string,
  params: Readonly<Record<string, Json>> | readonly Json[] | undefined,
  given: EnqueueOptions & Pick<SqlTaskOptions, 'maxRows' | 'maxBytes' | 'whole'>,
): RawTask {
  requireOptions('statement()', given, {
    ...enqueueOptions,
    maxRows: true,
    maxBytes: true,
    whole: true,
  })
  const { maxRows, maxBytes, whole, ...options } = given
  const payload = { statement, params, max_rows: maxRows, max_bytes: maxBytes, whole }
  return { ...options, queue: options.queue ?? 'sql', kind: 'sql', payload }
}
