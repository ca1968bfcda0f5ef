import { ServerClient } from '../../db/server-client.js'
import { describeTlsError } from '../../db/tls-error.ts'
import { urlShape } from '../../db/url-fault.ts'
import { type Cluster, launch } from '../../embedded/launch.ts'
import { TuskError } from '../../lib/errors.ts'
import { redact } from '../../lib/redact.ts'
import { type Io, say } from '../process/io.ts'
import { stateDirectoryFor } from './state-directory.ts'

export interface DatabaseOptions {
  readonly databaseUrl?: string | undefined
  readonly postgresPort?: number | undefined
}

/** The database a command works on: the person's own, or the embedded cluster's. */
export type Database =
  | { readonly kind: 'given'; readonly url: string; readonly place: string }
  | { readonly kind: 'embedded'; readonly url: string; readonly cluster: Cluster }

/** Takes `--database-url`, else DATABASE_URL, else the embedded Postgres, started if need be. */
export async function openDatabase(options: DatabaseOptions, io: Io): Promise<Database> {
  const url = options.databaseUrl ?? io.env['DATABASE_URL']
  if (url) return { kind: 'given', url, place: await reach(url) }
  const cluster = await launch({
    stateDirectory: stateDirectoryFor(io),
    port: options.postgresPort,
    onProgress: (message) => say(io, message),
  })
  return { kind: 'embedded', url: cluster.url, cluster }
}

/** Logs in once, and names the place without its password. */
export async function reach(url: string): Promise<string> {
  const client = clientFor(url)
  const { place } = client
  try {
    await client.connect()
    return place
  } catch (error) {
    throw describeTlsError(error, `Postgres at ${place}`) ?? unreachable(place, error)
  } finally {
    await client.end().catch(() => {})
  }
}

function clientFor(url: string): ServerClient {
  try {
    return new ServerClient({ connectionString: url, connectionTimeoutMillis: 10_000 })
  } catch (error) {
    throw unreadable(error)
  }
}

function unreachable(place: string, cause: unknown): TuskError {
  const hint = 'Check DATABASE_URL, or leave it out to use the embedded Postgres.'
  const message = `cannot reach Postgres at ${place}: ${why(cause)}`
  return new TuskError('database_unreachable', message, { hint, cause })
}

/** What the URL names cannot be read, as a certificate; itself it stays out, for it may hold a password. */
function unreadable(cause: unknown): TuskError {
  const message = `the database URL cannot be used: ${why(cause)}`
  return new TuskError('invalid_argument', message, { hint: `It is ${urlShape}.`, cause })
}

const plainWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name cannot be looked up now',
  ETIMEDOUT: 'no answer',
  EHOSTUNREACH: 'no way to that host',
}

/** A host with several addresses fails with one error per address, and an empty message over all. */
function why(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  if (!(first instanceof Error)) return redact(String(first))
  const { code } = first as { code?: unknown }
  return (typeof code === 'string' && plainWords[code]) || redact(first.message)
}
