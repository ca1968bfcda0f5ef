import pg from 'pg'
import { matchHosts } from '../../../db/host-list.js'
import { currentServer } from '../../../db/servers.js'
import { type SessionAttributes, sessionAttributes } from '../../../db/session-attributes.js'
import type { Conninfo } from './conninfo.ts'
import { ConninfoFault } from './conninfo-fault.ts'

/** One server to try. */
export interface Place {
  readonly config: pg.ClientConfig
  /** Tries without TLS if the server has none. */
  readonly prefersTls: boolean
  readonly wants: SessionAttributes
  /** SQL runs as this role there, and the login must not have more rights. */
  readonly onlyAs?: string
}

/** The defaults for a connection string with missing parts: those of the worker's own connection. */
export interface Home
  extends Readonly<Record<'host' | 'port' | 'user' | 'dbname' | 'password', string>> {
  /** The TLS settings of the worker's own connection. */
  readonly ssl?: pg.ClientConfig['ssl']
}

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']
const usualConnectMs = 10_000
/** After this silence the system sends TCP keepalives. Its default is two hours. */
const silenceMs = 30_000

/** The servers of a connection string, in order. */
export function placesOf(conninfo: Conninfo, home: Home, usualSslMode = 'prefer'): Place[] {
  const { servers, fault } = matchHosts(
    conninfo.get('host'),
    conninfo.get('hostaddr'),
    conninfo.get('port'),
  )
  if (fault !== undefined) throw new ConninfoFault(fault)
  const wants = oneOf(conninfo, 'target_session_attrs', sessionAttributes, 'any')
  return servers.map(({ host, address, port }) => {
    const isHome = host === undefined && address === undefined
    const usual = isNear(host) ? 'prefer' : usualSslMode
    const sslMode = oneOf(conninfo, 'sslmode', sslModes, isHome && home.ssl ? 'home' : usual)
    return {
      config: configOf(conninfo, home, { host, address, port, sslMode }),
      prefersTls: sslMode === 'prefer' || sslMode === 'allow',
      wants: wants as SessionAttributes,
    }
  })
}

interface Named {
  readonly host: string | undefined
  readonly address: string | undefined
  readonly port: string | undefined
  /** `home` means the TLS mode of the worker's own connection. */
  readonly sslMode: string
}

function configOf(conninfo: Conninfo, home: Home, named: Named): pg.ClientConfig {
  const isHome = named.host === undefined && named.address === undefined
  const user = conninfo.get('user') ?? home.user
  const password = conninfo.get('password') ?? (isHome && user === home.user ? home.password : '')
  const options = conninfo.get('options')
  return {
    host: named.address ?? named.host ?? home.host,
    port: portOf(named.port ?? (isHome ? home.port : '5432')),
    user,
    database: conninfo.get('dbname') ?? (isHome ? home.dbname : user),
    // A function, because the driver would otherwise look for the worker's own password and send that.
    password: () => secretOr(password),
    ssl: named.sslMode === 'home' ? home.ssl : tlsOf(named),
    connectionTimeoutMillis: connectMs(conninfo.get('connect_timeout')),
    keepAlive: true,
    keepAliveInitialDelayMillis: silenceMs,
    ...(options === undefined ? {} : { options }),
  }
}

function secretOr(password: string): string {
  if (password === '') throw new Error('fe_sendauth: no password supplied')
  return password
}

function tlsOf({ sslMode, host }: Named): pg.ClientConfig['ssl'] {
  if (sslMode === 'disable' || host?.startsWith('/')) return false
  const servername = host === undefined || /^[\d.:]+$/.test(host) ? {} : { servername: host }
  if (sslMode === 'verify-full') return { rejectUnauthorized: true, ...servername }
  if (sslMode === 'verify-ca') {
    return { rejectUnauthorized: true, checkServerIdentity: () => undefined, ...servername }
  }
  return { rejectUnauthorized: false, ...servername }
}

/** Whether a host is this machine: no other machine can listen to that traffic. */
export function isNear(host: string | undefined): boolean {
  return host === undefined || host.startsWith('/') || near.test(host)
}

/** Matches the whole name: `localhost.example.org` and `127.example.org` are other machines. */
const near = /^(localhost|127(\.\d{1,3}){3}|::1)$/i

function portOf(text: string): number {
  const port = Number(text === '' ? '5432' : text)
  if (!/^\s*\d*\s*$/.test(text)) {
    throw new ConninfoFault(`invalid integer value "${text}" for connection option "port"`)
  }
  if (port < 1 || port > 65_535) throw new ConninfoFault(`invalid port number: "${text}"`)
  return port
}

function connectMs(text: string | undefined): number {
  if (text === undefined || text === '') return usualConnectMs
  if (!/^\s*-?\d+\s*$/.test(text)) {
    throw new ConninfoFault(
      `invalid integer value "${text}" for connection option "connect_timeout"`,
    )
  }
  const seconds = Number(text)
  return seconds <= 0 ? usualConnectMs : Math.max(seconds, 1) * 1_000
}

function oneOf(conninfo: Conninfo, name: string, known: readonly string[], usual: string): string {
  const value = conninfo.get(name)
  if (value === undefined || value === '') return usual
  if (!known.includes(value)) throw new ConninfoFault(`invalid ${name} value: "${value}"`)
  return value
}

/** The server that a driver configuration leads to, with all defaults filled in. */
export function homeOf(config: pg.ClientConfig): Home {
  const client = new pg.Client(currentServer(config))
  const { host, port, user, database, password } = client
  return {
    host,
    port: String(port),
    user: user ?? '',
    dbname: database ?? '',
    password: typeof password === 'string' ? password : '',
    ssl: (client as { ssl?: pg.ClientConfig['ssl'] }).ssl,
  }
}
