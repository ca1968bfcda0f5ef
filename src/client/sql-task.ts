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
  /** The most rows that are kept of one result; 1,000 unless its queue or the worker says otherwise. */
  readonly maxRows?: number | undefined
  /** The most bytes of the output, as JSON; 900,000 unless its queue or the worker says otherwise. */
  readonly maxBytes?: number | undefined
  /** Keeps the output whole, up to 200,000,000 bytes; a larger one is an error. Left out: it is cut, and says `cut`. */
  readonly whole?: boolean | undefined
  /** Which sessions it may share with others, and whether it leaves its own as it is. */
  readonly session?: SqlSessionOptions | undefined
}

/** How long the session of a SQL task lives, and which tasks share it. */
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
  maxBytes: true,
  whole: true,
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

/** A task that runs a registered statement. */
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
