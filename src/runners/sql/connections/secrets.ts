import { readFile } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import type { RegisteredConnection } from '../../../engine/running-sql.ts'
import { redactHost } from '../../../lib/redact.ts'
import { ConnectionError } from './connection-error.ts'
import { isNear } from './places.ts'

/**
 * Where a worker may read secrets from. An admin who registers a connection must not be able to read everything on the
 * worker's host.
 */
export interface SecretSources {
  readonly callbacks: Readonly<Record<string, (connection: string) => string | Promise<string>>>
  /** Undefined means those that begin with TUSK_SECRET_. */
  readonly variables: readonly string[] | undefined
  readonly folders: readonly string[]
  /** The hosts that a secret may be sent to, by its name: its variable, file or callback. */
  readonly hosts: Readonly<Record<string, readonly string[]>>
}

/** The secret of a registered connection. Undefined if it has none. */
export async function readSecret(
  connection: string,
  secret: RegisteredConnection['secret'],
  sources: SecretSources,
): Promise<string | undefined> {
  if (secret === null) return undefined
  if (secret.env !== undefined) return fromVariable(secret.env, sources)
  if (secret.file !== undefined) return fromFile(secret.file, sources)
  const callback = sources.callbacks[secret.callback ?? '']
  if (callback === undefined) throw refusal(`this worker knows no secret "${secret.callback}"`)
  return callback(connection)
}

/**
 * Rejects sending a secret to a host that it is not meant for. A connection names its host and its secret, and a server
 * that asks for a cleartext password gets it. So an admin of the engine could have every secret of a worker sent to a
 * host of their own. This machine is always allowed.
 */
export function requireHosts(
  secret: NonNullable<RegisteredConnection['secret']>,
  hosts: readonly string[],
  { hosts: allowed }: SecretSources,
): void {
  const name = secret.env ?? secret.file ?? secret.callback ?? ''
  const known = (Object.hasOwn(allowed, name) ? (allowed[name] ?? []) : []).map(asWritten)
  const other = hosts.find((host) => !isNear(host) && !known.includes(asWritten(host)))
  if (other === undefined || known.includes('*')) return
  throw new ConnectionError(
    `this worker does not send the secret ${name} to the host "${redactHost(other)}"`,
    {
      fault: 'connection_not_allowed',
      hint: 'Name the host in `secretHosts` of the worker, or make the whole connection string the secret.',
    },
  )
}

/** Host names are the same in upper case and with a trailing dot. */
function asWritten(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}

function fromVariable(name: string, { variables }: SecretSources): string {
  const isAllowed = variables?.includes(name) ?? name.startsWith('TUSK_SECRET_')
  if (!isAllowed) {
    throw refusal(`this worker does not give out the environment variable ${name}`)
  }
  const value = process.env[name]
  if (value === undefined)
    throw refusal(`the environment variable ${name} is not set in this worker`)
  return value
}

async function fromFile(path: string, { folders }: SecretSources): Promise<string> {
  const whole = resolve(path)
  if (!folders.some((folder) => whole.startsWith(resolve(folder) + sep))) {
    throw refusal(`this worker does not give out the file ${path}`)
  }
  try {
    return (await readFile(whole, 'utf8')).trimEnd()
  } catch (cause) {
    throw refusal(`this worker cannot read the file ${path}`, cause)
  }
}

function refusal(message: string, cause?: unknown): ConnectionError {
  const hint = 'See `sql` in the options of startWorker().'
  return new ConnectionError(message, { fault: 'connection_not_allowed', hint, cause })
}
