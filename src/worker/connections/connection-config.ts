import type { ConnectionOptions } from 'node:tls'
import type pg from 'pg'
import { approvedFingerprints, rememberApprovedCertificates } from './approved-certificates.ts'

/** Where the worker's connections lead: a connection string, settings of pg, or a pool to take them from. */
export type Database = string | pg.ClientConfig | pg.Pool

/** Settings without functions. */
export interface ConfigAsData extends pg.ClientConfig {
  /** Instead of a check of the application's own: the fingerprints of certificates that it found good. */
  readonly approved?: readonly string[]
}

/** A host that went silent would hold a worker for minutes; these end the wait. */
const connectTimeoutMs = 10_000
const queryTimeoutMs = 30_000
/** LISTEN and long statements wait without a word: the system asks then whether the server is still there. */
const silenceMs = 30_000

/** The settings for connections of the worker's own; a pool's own connections stay the application's. */
export function connectionConfig(database: Database): pg.ClientConfig {
  const { ssl, ...config } = given(database)
  return {
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
    application_name: 'tusk worker',
    keepAliveInitialDelayMillis: silenceMs,
    ...config,
    ...(ssl === undefined
      ? {}
      : { ssl: typeof ssl === 'object' ? rememberApprovedCertificates(ssl) : ssl }),
    keepAlive: true,
  }
}

function given(database: Database): pg.ClientConfig {
  if (typeof database === 'string') return { connectionString: database }
  if (!isPool(database)) return database
  // A pool hides its password from being copied along.
  const { password, ...options } = database.options
  return { ...options, password: password ?? (database.options.password as never) }
}

/** Decided by its shape: the caller's pg may be another copy than ours. */
function isPool(database: pg.ClientConfig | pg.Pool): database is pg.Pool {
  return 'totalCount' in database
}

/** The same settings as data, for another thread: a password that is a function is asked here. */
export async function configAsData(config: pg.ClientConfig): Promise<ConfigAsData> {
  const { password, ssl, ...rest } = config
  const secret = typeof password === 'function' ? await password() : password
  return {
    ...withoutFunctions(rest),
    ...(secret === undefined ? {} : { password: secret }),
    ...(typeof ssl === 'object' ? tlsAsData(ssl) : ssl === undefined ? {} : { ssl }),
  }
}

/** The driver hides the key from being copied along. */
function tlsAsData(ssl: ConnectionOptions): Pick<ConfigAsData, 'ssl' | 'approved'> {
  const { key, checkServerIdentity: check } = ssl
  const approved = check === undefined ? undefined : [...(approvedFingerprints.get(check) ?? [])]
  return {
    ssl: { ...withoutFunctions(ssl), ...(key === undefined ? {} : { key }) },
    ...(approved === undefined ? {} : { approved }),
  }
}

function withoutFunctions<T extends object>(settings: T): T {
  const data = Object.entries(settings).filter(([, value]) => typeof value !== 'function')
  return Object.fromEntries(data) as T
}
