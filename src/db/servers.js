// @ts-check
import pg from 'pg'
import { serverList } from './server-list.js'

/**
 * @typedef {import('./session-attributes.js').SessionAttributes} SessionAttributes
 *
 * @typedef {pg.ClientConfig & { readonly session?: Readonly<Record<string, string>> | undefined }} ServerConfig
 * `session`: settings for the session, made on connections that lead straight to the server.
 */

/** With several servers, one that does not answer must not use up all the time. */
const connectOneOfManyMs = 5_000

/** Which server of each list was last usable, so that after a failover no connection waits for the dead one. */
const lastGood = /** @type {Map<string, string>} */ (new Map())

/**
 * The servers of a configuration, each with its own configuration, and the required role.
 * @param {ServerConfig} config
 * @returns {{ readonly servers: readonly ServerConfig[], readonly wants: SessionAttributes }}
 */
export function listServers(config) {
  const list = serverList(config.connectionString ?? '')
  return { servers: serversOf(config, list), wants: list.wants }
}

/**
 * The server that a connection would try first: of several, the one that was last usable.
 * @param {ServerConfig} config
 * @returns {ServerConfig}
 */
export function currentServer(config) {
  const { servers } = listServers(config)
  const good = lastGoodPlace(config)
  const [first = config] = servers
  return servers.length === 1
    ? first
    : (servers.find((server) => placeOf(server) === good) ?? first)
}

/**
 * The server of a connection string that was last usable.
 * @param {ServerConfig} config
 */
export function lastGoodPlace(config) {
  return lastGood.get(`${config.connectionString}`)
}

/**
 * @param {ServerConfig} config
 * @param {ServerConfig} server
 */
export function rememberGood(config, server) {
  lastGood.set(`${config.connectionString}`, placeOf(server))
}

/**
 * @param {ServerConfig} config
 * @param {import('./server-list.js').ServerList} list
 * @returns {readonly ServerConfig[]}
 */
export function serversOf(config, { urls, connectMs }) {
  if (config.connectionString === undefined) return [config]
  const given = config.connectionTimeoutMillis
  const usual = urls.length > 1 ? Math.min(given || connectOneOfManyMs, connectOneOfManyMs) : given
  const patience = connectMs ?? usual
  // The password of a pool's options is not enumerable, so it has to be copied by name.
  const { password } = config
  return urls.map((connectionString) => ({
    ...config,
    ...(password === undefined ? {} : { password }),
    connectionString,
    ...(patience === undefined ? {} : { connectionTimeoutMillis: patience }),
  }))
}

/**
 * The name of a server, without the password.
 * @param {ServerConfig} server
 */
export function placeOf(server) {
  const { host, port, database = '' } = new pg.Client(server)
  // A slash in a password moves part of it into the database name, a wrong parameter into the host:
  // postgres://u:12/34@host/db, postgres:///db?host=u:password@host.
  const name = host.slice(host.lastIndexOf('@') + 1)
  return `${name}:${port}/${database.includes('@') ? '***' : database}`
}
