// @ts-check
import pg from 'pg'
import { serverList } from './server-list.js'
import { lastGoodPlace, placeOf, rememberGood, serversOf } from './servers.js'
import { inTryingOrder, roleFault } from './session-attributes.js'
import { Watch } from './watch.js'

/**
 * @typedef {import('./session-attributes.js').ServerRole} ServerRole
 * @typedef {import('./session-attributes.js').SessionAttributes} SessionAttributes
 *
 * @typedef {object} Inside What the driver keeps to itself.
 * @property {import('node:events').EventEmitter & { stream: import('node:net').Socket, end(): void }} connection
 * @property {NodeJS.Timeout} [connectionTimeoutHandle]
 * @property {object | null | undefined} _activeQuery
 * @property {number | null} processID
 *
 * @typedef {import('./servers.js').ServerConfig} ServerConfig
 */

/**
 * A connection to the first usable server of a connection string, by libpq's rules. It notices when its server stops
 * answering, and then fails the running statement.
 */
export class ServerClient extends pg.Client {
  /** It leads straight to the server, so settings of the session last. Known only for connections with `session`. */
  keepsSession = false
  /** @type {readonly ServerConfig[]} */
  #servers
  #list
  #config
  /** The server in use. @type {ServerConfig} */
  #server
  #ending = new AbortController()
  /** The parameters that the server reported. @type {Map<string, string>} */
  #parameters = new Map()

  /** @param {ServerConfig} [config] */
  constructor(config = {}) {
    const { query_timeout: answerWithinMs, ...rest } = config
    const list = serverList(rest.connectionString ?? '')
    const servers = serversOf(rest, list)
    const [first = rest] = servers
    super(first)
    this.#config = rest
    this.#list = list
    this.#servers = servers
    this.#server = first
    // The next statement fails if the connection is lost. Without a listener the event would crash the process.
    this.on('error', () => {})
    const watch = new Watch(this, {
      answerWithinMs: Number(answerWithinMs ?? 0),
      server: () => ({ ...this.#server, session: undefined }),
      fail: (error) => this.#inside.connection.stream.destroy(error),
    })
    // Not a method, because it has the driver's many signatures.
    Object.defineProperty(this, 'query', {
      value: (/** @type {[any]} */ ...given) => {
        watch.begin()
        return super.query(...given)
      },
    })
  }

  /** The server it leads to, without the password. All servers, if there are several. */
  get place() {
    return this.#servers.map(placeOf).join(',')
  }

  /**
   * @override
   * @param {any} [callback]
   * @returns {any}
   */
  connect(callback) {
    const connecting = this.#reach()
    if (callback === undefined) return connecting
    connecting.then(
      () => process.nextTick(callback, null),
      (error) => process.nextTick(callback, error),
    )
    return undefined
  }

  /**
   * @override
   * @param {any} [callback]
   * @returns {any}
   */
  end(callback) {
    this.#ending.abort()
    return callback === undefined ? super.end() : super.end(callback)
  }

  /** Stops connecting, or cuts the connection. */
  giveUp() {
    this.#ending.abort()
    this.#inside.connection.stream.destroy()
  }

  /**
   * Whether the server is a standby, and whether it accepts writes. It reports both since Postgres 14; older servers
   * are asked.
   * @returns {Promise<ServerRole>}
   */
  async role() {
    const standby = this.#parameters.get('in_hot_standby')
    const readOnly = this.#parameters.get('default_transaction_read_only')
    if (standby !== undefined && readOnly !== undefined) {
      const isStandby = standby === 'on'
      return { isStandby, isReadOnly: isStandby || readOnly === 'on' }
    }
    const { rows } = await this.query(
      `select pg_catalog.pg_is_in_recovery() as "isStandby",
              pg_catalog.current_setting('transaction_read_only') = 'on' as "isReadOnly"`,
    )
    return rows[0]
  }

  /**
   * Why the server is no longer what the connection string requires. Undefined while it is.
   * @returns {Promise<string | undefined>}
   */
  async misplacement() {
    const { wants } = this.#list
    return wants === 'any' ? undefined : roleFault(wants, await this.role())
  }

  get #inside() {
    return /** @type {Inside} */ (/** @type {unknown} */ (this))
  }

  async #reach() {
    const tries = inTryingOrder(this.#inOrder(), this.#list.wants)
    const failures = []
    for (const [at, { server, wants }] of tries.entries()) {
      if (at > 0) this.#turnTo(server)
      try {
        await this.#connectTo(server, wants)
        if (tries.length > 1) rememberGood(this.#config, server)
        return this
      } catch (error) {
        if (tries.length === 1 || this.#ending.signal.aborted || isFinal(error)) throw error
        failures.push(`${placeOf(server)}: ${wordsOf(error)}`)
        this.#abandon()
      }
    }
    throw new NoServer(failures)
  }

  /**
   * @param {ServerConfig} server
   * @param {SessionAttributes} wants
   */
  async #connectTo(server, wants) {
    if (this.#ending.signal.aborted) throw new Error('Connection terminated')
    this.#server = server
    this.#parameters.clear()
    this.#inside.connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      this.#parameters.set(parameterName, parameterValue)
    })
    await super.connect()
    const fault = wants === 'any' ? undefined : roleFault(wants, await this.role())
    if (fault !== undefined) {
      void super.end().catch(() => {})
      throw new WrongRole(fault)
    }
    await this.#prepare(server.session)
  }

  /**
   * Settings last for the session, so they are made only if the session is our own: behind a pooler, another process
   * answers than the one it reported. Without settings, this only finds out whether it is.
   * @param {Readonly<Record<string, string>> | undefined} session
   */
  async #prepare(session) {
    if (session === undefined) return
    const settings = Object.entries(session)
    // Some systems and versions lack some of the settings. Then each is set separately.
    if (await this.#set(settings)) return
    for (const setting of settings) await this.#set([setting])
  }

  /**
   * @param {readonly (readonly [string, string])[]} settings
   * @returns {Promise<boolean>}
   */
  async #set(settings) {
    const calls = settings.map(
      (_, at) => `pg_catalog.set_config($${2 * at + 2}, $${2 * at + 3}, false)`,
    )
    try {
      const { rowCount } = await this.query(
        `select ${calls.join(', ')} where pg_catalog.pg_backend_pid() = $1`,
        [this.#inside.processID, ...settings.flat()],
      )
      this.keepsSession = rowCount === 1
      return true
    } catch (error) {
      if (error instanceof pg.DatabaseError && !/^(57|08)/.test(error.code ?? '')) return false
      throw error
    }
  }

  #inOrder() {
    if (this.#servers.length === 1) return this.#servers
    const good = lastGoodPlace(this.#config)
    const servers = this.#list.isShuffled
      ? [...this.#servers].sort(() => Math.random() - 0.5)
      : [...this.#servers]
    // The driver has already created the connection to the first one.
    const [first, ...others] = servers.sort(
      (a, b) => Number(placeOf(b) === good) - Number(placeOf(a) === good),
    )
    if (first !== undefined && first !== this.#server) this.#turnTo(first)
    return first === undefined ? others : [first, ...others]
  }

  /** Ignores everything that the connection still emits. */
  #abandon() {
    const { connection, connectionTimeoutHandle } = this.#inside
    clearTimeout(connectionTimeoutHandle)
    connection.removeAllListeners()
    connection.on('error', () => {})
    connection.stream.destroy()
  }

  /**
   * Makes this client one for another server that is not connected yet, by taking over what the driver created for that
   * one.
   * @param {ServerConfig} server
   */
  #turnTo(server) {
    const fresh = new pg.Client(server)
    const { connection, connectionParameters, host, port, user, database, ssl } =
      /** @type {any} */ (fresh)
    Object.assign(this, {
      connection,
      connectionParameters,
      host,
      port,
      user,
      database,
      ssl,
      _connecting: false,
      _connected: false,
      _connectionError: false,
      _connectionCallback: null,
      _ending: false,
      _ended: false,
      _queryable: true,
      _activeQuery: null,
      _queryQueue: [],
      readyForQuery: false,
      saslSession: null,
      processID: null,
    })
    Object.assign(this, { password: /** @type {any} */ (fresh).password })
    this.#server = server
  }
}

/** No server of a list could be used. The code is the SQLSTATE for a failed connection. */
export class NoServer extends Error {
  /** @override */
  name = 'NoServer'
  code = '08001'

  /** @param {readonly string[]} failures */
  constructor(failures) {
    super(`no server of the connection string can be used: ${failures.join('; ')}`)
  }
}

/** The server answers but has the wrong role. */
class WrongRole extends Error {
  /** @override */
  name = 'WrongRole'
  code = '08004'
}

/**
 * Like libpq: if a server knows the login and rejects it, no other server is tried.
 * @param {unknown} error
 */
function isFinal(error) {
  return error instanceof pg.DatabaseError && /^(28|3D)/.test(error.code ?? '')
}

/** @param {unknown} error */
function wordsOf(error) {
  const first = error instanceof AggregateError ? (error.errors[0] ?? error) : error
  return first instanceof Error ? first.message : String(first)
}
