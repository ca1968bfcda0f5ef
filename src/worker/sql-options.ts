import type { Duration } from '../lib/duration.ts'
import type { Database } from './connections/connection-config.ts'

/** Where a secret of a registered connection comes from: the password, or a whole connection string. */
export type SecretCallback = (connection: string) => string | Promise<string>

/** How a worker runs SQL tasks. Everything has a default. */
export interface SqlOptions {
  /** Tasks that run at once, if the worker's own `concurrency` is not said; they share its places with handlers. */
  readonly concurrency?: number
  /**
   * Where sessions log in for tasks of the engine's own database; by default as the worker does. With a login that has no rights to the engine, SQL tasks cannot reach the engine; the
   * worker then completes them itself, so they run at least once instead of exactly once. Every SQL task
   * can still become every role that this login is a member of: `logins` keeps roles apart.
   */
  readonly database?: Database
  /**
   * A login for each role, by the name of the role. SQL tasks that run as it use sessions of that login
   * alone, so RESET ROLE leads nowhere else. The login is the role itself, or a member of that role and
   * of no other: one that could do more is refused. They run at least once, as with `database`. Roles
   * that are not named here use `database`.
   *
   * @example
   * ```ts
   * startWorker({ database, sql: { logins: { reader: process.env.READER_URL } } })
   * ```
   */
  readonly logins?: Readonly<Record<string, Database>>
  /** What `{"callback": "name"}` in a registered connection means. */
  readonly connections?: Readonly<Record<string, SecretCallback>>
  /** Environment variables that connections may name; by default those that begin with `TUSK_SECRET_`. */
  readonly secretVariables?: readonly string[]
  /** Folders in which connections may name files; by default `/run/secrets`. */
  readonly secretFolders?: readonly string[]
  /**
   * The hosts that the secret of a connection may be sent to, by the name of its variable, file or
   * callback; `*` for every host. Without it a secret that is a password is only sent to this machine; one
   * that is a whole connection string says its host itself.
   *
   * @example
   * ```ts
   * startWorker({ database, sql: { secretHosts: { TUSK_SECRET_REPORTS: ['reports.example.org'] } } })
   * ```
   */
  readonly secretHosts?: Readonly<Record<string, readonly string[]>>
  /** Whether a task may bring its own connection string, with its password. Off by default. */
  readonly allowConnectionStrings?: boolean
  /** The most rows that are kept of one result; by default 1,000. A task may set another number. */
  readonly maxRows?: number
  /** The most bytes of an output; by default 900,000. */
  readonly maxBytes?: number
  /** An unused session is closed after this time; by default 30 s. */
  readonly idleMs?: Duration
  /** The time between cancelling a statement and ending its session; by default 2 s. */
  readonly graceMs?: Duration
}
