// @ts-check
import { performance } from 'node:perf_hooks'
import { backendStates } from './backend-states.js'

/**
 * @typedef {object} WatchOptions
 * @property {number} answerWithinMs After this time without an answer the connection is given up; 0: never.
 * @property {() => import('./server-client.js').ServerConfig} server Where it leads.
 * @property {(error: Error) => void} fail Ends the connection, and with it all that is under way.
 *
 * @typedef {object} Watched
 * @property {object | null | undefined} _activeQuery
 * @property {number | null} processID
 * @property {{ stream: { bytesRead?: number } }} connection
 */

/** How often a connection that waits for an answer is checked. */
const lookEveryMs = 1_000
/** After this long without a byte, the server is asked what it is doing. */
const suspectAfterMs = 3_000
/** If the server works on the statement, it is asked again after twice the time, up to this. */
const longestPauseMs = 30_000
/** After this many failed checks in a row the connection counts as lost. */
const mostFailures = 2

/**
 * Notices that a connection has died silently, because a firewall forgot it or packets are dropped. TCP would wait for
 * a quarter of an hour. A long statement looks the same from here, so the server is asked over a second connection
 * whether it is working on it. Behind a pooler that cannot be known, and only the time limit applies.
 */
export class Watch {
  /** @type {Watched} */
  #client
  #options
  /** @type {NodeJS.Timeout | undefined} */
  #timer
  /** @type {object | undefined} */
  #query
  #bytes = 0
  #sinceMs = 0
  #heardMs = 0
  #askAtMs = 0
  #pauseMs = suspectAfterMs
  #failures = 0
  #doubts = 0

  /**
   * @param {unknown} client
   * @param {WatchOptions} options
   */
  constructor(client, options) {
    this.#client = /** @type {Watched} */ (client)
    this.#options = options
  }

  /** Call it before a statement is sent. Costs nothing if the last check was less than a second ago. */
  begin() {
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(() => this.#tick(), lookEveryMs).unref()
  }

  #tick() {
    this.#timer = undefined
    const query = this.#client._activeQuery
    if (!query) {
      this.#query = undefined
      return
    }
    this.#timer = setTimeout(() => this.#tick(), lookEveryMs).unref()
    const nowMs = performance.now()
    const bytes = this.#bytesRead
    if (query !== this.#query) {
      this.#query = query
      // The statement may have begun just after the last check.
      this.#sinceMs = nowMs - lookEveryMs
      this.#heard(nowMs, bytes)
      return
    }
    if (bytes !== this.#bytes) this.#heard(nowMs, bytes)
    const { answerWithinMs } = this.#options
    if (answerWithinMs > 0 && nowMs - this.#sinceMs >= answerWithinMs) {
      this.#fail(`no answer within ${answerWithinMs} ms`)
    } else if (nowMs >= this.#askAtMs) {
      this.#askAtMs = Number.POSITIVE_INFINITY
      void this.#ask(query, bytes)
    }
  }

  /**
   * @param {number} nowMs
   * @param {number} bytes
   */
  #heard(nowMs, bytes) {
    this.#bytes = bytes
    this.#heardMs = nowMs
    this.#pauseMs = suspectAfterMs
    this.#askAtMs = nowMs + suspectAfterMs - lookEveryMs
    this.#failures = 0
    this.#doubts = 0
  }

  /**
   * @param {object} query
   * @param {number} bytes
   */
  async #ask(query, bytes) {
    const found = await backendStates(this.#options.server())
    const isSame = this.#client._activeQuery === query && this.#bytesRead === bytes
    if (!isSame) return this.#heard(performance.now(), this.#bytesRead)
    switch (found.kind) {
      case 'unreachable':
        this.#failures += 1
        if (this.#failures >= mostFailures)
          this.#fail(`${this.#silence()}, nor to a new connection`)
        else this.#askAtMs = 0
        return
      case 'unknown':
        return this.#askLater()
      case 'known': {
        this.#failures = 0
        const state = found.states.get(this.#client.processID ?? 0)
        // null: this server does not record what its processes do.
        if (state === null || state === 'active') return this.#askLater()
        // The answer may be on its way at this moment.
        this.#doubts += 1
        if (this.#doubts === 1) {
          this.#askAtMs = 0
          return
        }
        this.#fail(`${this.#silence()}, and its process is ${state ?? 'gone'}`)
      }
    }
  }

  get #bytesRead() {
    return this.#client.connection.stream.bytesRead ?? 0
  }

  #askLater() {
    this.#doubts = 0
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs)
    this.#askAtMs = performance.now() + this.#pauseMs
  }

  #silence() {
    return `no answer for ${Math.round((performance.now() - this.#heardMs) / 1_000)} s`
  }

  /** @param {string} why */
  #fail(why) {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#query = undefined
    this.#options.fail(new SilentServer(why))
  }
}

/** The connection was cut, and it is unknown whether the statement took effect. */
export class SilentServer extends Error {
  /** @override */
  name = 'SilentServer'
  code = 'ETIMEDOUT'

  /** @param {string} why */
  constructor(why) {
    super(`the connection to Postgres fell silent: ${why}`)
  }
}
