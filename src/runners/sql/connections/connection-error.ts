import pg from 'pg'
import { currentServer } from '../../../db/servers.js'
import type { ConnectionFault } from '../../../engine/sql-output.ts'
import { redact, redactHost } from '../../../lib/redact.ts'

/** No session could be opened. Nothing ran. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly fault: ConnectionFault
  readonly detail: string | undefined
  readonly hint: string | undefined
  /** Set if a server answered and rejected the connection. */
  readonly sqlstate: string | undefined

  constructor(message: string, { fault, detail, hint, sqlstate, cause }: Refusal) {
    super(redact(message), { cause })
    this.fault = fault
    this.detail = detail
    this.hint = hint
    this.sqlstate = sqlstate
  }
}

interface Refusal {
  readonly fault: ConnectionFault
  readonly detail?: string
  readonly hint?: string
  readonly sqlstate?: string | undefined
  readonly cause?: unknown
}

/** The words of the operating system, as libpq reports them. */
const systemWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused',
  ECONNRESET: 'Connection reset by peer',
  EHOSTUNREACH: 'No route to host',
  ENETUNREACH: 'Network is unreachable',
  ETIMEDOUT: 'Connection timed out',
  ENOENT: 'No such file or directory',
  EACCES: 'Permission denied',
}
const unknownHost = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NONAME'])

/** Converts an error while connecting to the words of libpq. */
export function toConnectionError(config: pg.ClientConfig, error: unknown): ConnectionError {
  if (error instanceof ConnectionError) return error
  const first: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error
  if (first instanceof pg.DatabaseError) return rejected(config, first)
  const code = String((first as { code?: unknown }).code)
  if (unknownHost.has(code)) {
    const what = `could not translate host name "${addressOf(config).host}" to address`
    return new ConnectionError(`${what}: Name or service not known`, { fault: 'connection_failed' })
  }
  const words = systemWords[code] ?? spoken(first instanceof Error ? first.message : String(first))
  const hint = /refused|No such file/.test(words) ? { hint: questionFor(config) } : {}
  const message = `${describeServer(config)} failed: ${words}`
  return new ConnectionError(message, { fault: 'connection_failed', ...hint })
}

function rejected(config: pg.ClientConfig, error: pg.DatabaseError): ConnectionError {
  const message = `${describeServer(config)} failed: ${error.severity ?? 'FATAL'}:  ${error.message}`
  return new ConnectionError(message, { fault: 'connection_rejected', sqlstate: error.code })
}

function spoken(message: string): string {
  if (/timeout/i.test(message)) return 'timeout expired'
  if (/terminated/i.test(message)) return 'server closed the connection unexpectedly'
  return message
}

export function describeServer(config: pg.ClientConfig): string {
  const { host, port } = addressOf(config)
  return host.startsWith('/')
    ? `connection to server on socket "${host}/.s.PGSQL.${port}"`
    : `connection to server at "${host}", port ${port}`
}

/** The address as the driver reads it: a connection string overrides the other options. */
function addressOf(config: pg.ClientConfig): { readonly host: string; readonly port: number } {
  const { host = 'localhost', port = 5432 } =
    config.connectionString === undefined ? config : new pg.Client(currentServer(config))
  return { host: redactHost(host), port }
}

function questionFor(config: pg.ClientConfig): string {
  return addressOf(config).host.startsWith('/')
    ? 'Is the server running locally and accepting connections on that socket?'
    : 'Is the server running on that host and accepting TCP/IP connections?'
}
