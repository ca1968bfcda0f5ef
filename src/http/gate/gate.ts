import { Problem } from '../answers/problem.ts'
import type { Exchange } from '../requests/exchange.ts'
import { type Authenticator, invalidToken, unauthenticated } from './authenticate.ts'
import { anonymous, type Caller, callerKey, requireScopeSomewhere } from './caller.ts'
import { refuseCrossSite } from './cross-site.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { RouteScope } from './scopes.ts'

export interface GateOptions {
  readonly authenticator: Authenticator
  /** Requests per caller; undefined: as many as they like. */
  readonly requests: RateLimiter | undefined
  /** Invalid, expired or revoked tokens, per address. */
  readonly failures: RateLimiter
}

/** What the gate must know of a route. */
interface Admission {
  readonly scope: RouteScope
  readonly isStream?: boolean
  readonly isUnlimited?: boolean
}

/** Who may come in, before anything of the request is read. */
export class Gate {
  readonly #options: GateOptions

  constructor(options: GateOptions) {
    this.#options = options
  }

  async admit(exchange: Exchange, route: Admission): Promise<Caller> {
    const { scope, isStream = false, isUnlimited = false } = route
    const caller = scope === 'open' ? anonymous : await this.#identify(exchange)
    requireScopeSomewhere(caller, scope)
    refuseCrossSite(caller, exchange, isStream)
    if (isUnlimited) return caller
    const key = caller.by === 'nobody' ? (exchange.address ?? 'anonymous') : callerKey(caller)
    const headers = this.#options.requests?.take(key) ?? {}
    for (const [name, value] of Object.entries(headers)) exchange.reply.set(name, value)
    return caller
  }

  /** Refuses a caller whose token was revoked, or has expired, since they were let in. */
  async readmit({ request }: Exchange, { token, by }: Caller): Promise<void> {
    if (token === null && by !== 'session') return
    const again = await this.#options.authenticator.identify(request, () => {})
    if (again === null) throw invalidToken()
  }

  /** Opens a session for the holder of a token, with a secret of its own. */
  openSession(
    exchange: Exchange,
    token: string,
  ): Promise<{ readonly caller: Caller; readonly secret: string }> {
    return this.#guarded(exchange, async (isAllowed) => {
      const opened = await this.#options.authenticator.openSession(token, isAllowed)
      if (opened === null) throw invalidToken()
      return opened
    })
  }

  /** Ends the session that a request came with, if it came with one. */
  async closeSession({ request }: Exchange, { by }: Caller): Promise<void> {
    if (by === 'session') await this.#options.authenticator.closeSession(request)
  }

  #identify(exchange: Exchange): Promise<Caller> {
    return this.#guarded(exchange, async (isAllowed) => {
      const caller = await this.#options.authenticator.identify(exchange.request, isAllowed)
      if (caller === null) throw unauthenticated('this needs a token')
      return caller
    })
  }

  /**
   * An address that guesses has to wait after a while, and its guesses cost no query then. A token that
   * this server has let in before is never kept out by other clients of its address.
   */
  async #guarded<T>(
    { address }: Exchange,
    look: (isAllowed: () => void) => Promise<T>,
  ): Promise<T> {
    const { failures } = this.#options
    try {
      return await look(() => {
        if (address !== null) failures.require(address)
      })
    } catch (error) {
      const isWrong = error instanceof Problem && error.status === 401
      if (isWrong && address !== null) failures.take(address)
      throw error
    }
  }
}
