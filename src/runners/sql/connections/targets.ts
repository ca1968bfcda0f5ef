import type { RegisteredConnection } from '../../../engine/running-sql.ts'
import { redact, redactHost } from '../../../lib/redact.ts'
import type { SqlPayload } from '../read-payload.ts'
import type { Target } from '../session/sessions.ts'
import { ConnectionError } from './connection-error.ts'
import { type Conninfo, parseConninfo } from './conninfo.ts'
import { ConninfoFault } from './conninfo-fault.ts'
import { type Home, type Place, placesOf } from './places.ts'
import { readSecret, requireHosts, type SecretSources } from './secrets.ts'

export interface TargetsOptions {
  readonly home: () => Home
  readonly readConnection: (name: string) => Promise<RegisteredConnection | undefined>
  readonly secrets: SecretSources
  readonly allowsStrings: boolean
}

/** The TLS mode of registered connections that name none: the safest one. */
const usualSslMode = 'verify-full'

/** The databases where tasks may run, besides the engine's own. */
export class Targets {
  readonly #options: TargetsOptions

  constructor(options: TargetsOptions) {
    this.#options = options
  }

  of(connection: NonNullable<SqlPayload['connection']>): Promise<Target> {
    return typeof connection === 'string'
      ? this.#registered(connection)
      : this.#given(connection.dsn)
  }

  async #registered(name: string): Promise<Target> {
    const { readConnection, secrets, home } = this.#options
    const registered = await readConnection(name)
    if (registered === undefined) {
      throw new ConnectionError(`there is no connection named "${name}"`, {
        fault: 'connection_unknown',
        hint: 'Register it with set_connection().',
      })
    }
    return {
      key: `name ${name} ${JSON.stringify(registered)}`,
      name,
      places: async () => {
        const { secret: source, options } = registered
        if (source !== null) requireHosts(source, hostsIn(options), secrets)
        const secret = await readSecret(name, source, secrets)
        return readable(() => placesOf(conninfoOf(registered, secret), home(), usualSslMode))
      },
    }
  }

  async #given(dsn: string): Promise<Target> {
    const { allowsStrings, home } = this.#options
    if (!allowsStrings) {
      throw new ConnectionError('this worker takes no connection strings from tasks', {
        fault: 'connection_not_allowed',
        hint: 'Register the connection, or start the worker with `allowConnectionStrings` (`--allow-remote`).',
      })
    }
    const places = readable(() => placesOf(parseConninfo(dsn), home()))
    return { key: `dsn ${dsn}`, name: placeIn(places), places: async () => places }
  }
}

/** The hosts of a connection, by name and by address: the name may be there only for the certificate. */
function hostsIn(options: RegisteredConnection['options']): string[] {
  return ['host', 'hostaddr']
    .map((name) => options[name])
    .filter((hosts) => hosts !== undefined && hosts !== '')
    .flatMap((hosts) => String(hosts).split(','))
}

/** The secret is the password, or the whole string if no host is named. */
function conninfoOf({ options }: RegisteredConnection, secret: string | undefined): Conninfo {
  const isWhole = hostsIn(options).length === 0
  if (secret !== undefined && isWhole) return wholeSecret(secret)
  const given = Object.entries(options).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  return new Map(secret === undefined ? given : [...given, ['password', secret]])
}

/** The fault is not described, because a bare password would be quoted. */
function wholeSecret(secret: string): Conninfo {
  try {
    return parseConninfo(secret)
  } catch (error) {
    if (!(error instanceof ConninfoFault)) throw error
    const message = 'the secret is not a connection string, and the connection names no host'
    throw new ConninfoFault(message, { cause: error })
  }
}

function readable(read: () => Place[]): Place[] {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ConninfoFault)) throw error
    throw new ConnectionError(error.message, { fault: 'connection_string_invalid', cause: error })
  }
}

/** For operators: without user and password. */
function placeIn(places: readonly Place[]): string {
  return places
    .map(({ config: { host = '', port, database } }) => `${redactHost(host)}:${port}/${database}`)
    .map(redact)
    .join(',')
}
