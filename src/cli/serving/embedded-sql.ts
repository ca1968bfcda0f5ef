import { openSqlLogin, sqlRole } from '../../embedded/sql-login.ts'
import { withoutUndefined } from '../../tasks/enqueue-options.ts'
import type { SqlOptions } from '../../worker/sql-options.ts'
import type { Config } from '../config/config.ts'

/** How SQL tasks run, and how a server that takes them from the network is to connect. */
export interface SqlAccess {
  readonly sql: SqlOptions
  /** For the client that the HTTP server stands on. */
  readonly serverUrl: string
}

/**
 * On the embedded Postgres our own login is the superuser, who can run programs on this machine. SQL that
 * comes over HTTP runs as a low role there, on sessions of a login that can become no other.
 */
export async function sqlAccess(
  config: Config,
  database: { readonly url: string; readonly isEmbedded: boolean },
): Promise<SqlAccess> {
  const logins = config.get('worker.sqlLogins') ?? {}
  const common = withoutUndefined({
    secretHosts: config.get('worker.secretHosts') ?? {},
    allowConnectionStrings: config.get('worker.allowRemote'),
    maxRows: config.get('worker.sqlMaxRows'),
    maxBytes: config.get('worker.sqlMaxBytes'),
  })
  if (!database.isEmbedded) return { sql: { ...common, logins }, serverUrl: database.url }
  const login = await openSqlLogin(database.url)
  const serverUrl = new URL(database.url)
  serverUrl.searchParams.set('options', `-c tusk.sql_role=${sqlRole}`)
  const sql = { ...common, logins: { ...logins, [sqlRole]: login } }
  return { sql, serverUrl: serverUrl.href }
}
