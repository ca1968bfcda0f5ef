import { Problem } from '../answers/problem.ts'
import type { Exchange } from '../requests/exchange.ts'
import { type Authenticator, unauthenticated } from './authenticate.ts'
import { type Caller, callerKey, nobody, requireScopeSomewhere } from './caller.ts'
import { refuseCrossSite } from './cross-site.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { RouteScope } from './scopes.ts'

export interface GateOptions {
  readonly authenticator: Authenticator
  /** Requests per caller; undefined: as many as they like. */
  readonly requests: RateLimiter | undefined
  /** Tokens that do not hold, per address. */
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
    const caller = scope === 'open' ? nobody : await this.#identify(exchange)
    requireScopeSomewhere(caller, scope)
    refuseCrossSite(caller, exchange, isStream)
    if (isUnlimited) return caller
    const key = caller.by === 'nobody' ? (exchange.address ?? 'nobody') : callerKey(caller)
    const headers = this.#options.requests?.take(key) ?? {}
    for (const [name, value] of Object.entries(headers)) exchange.reply.set(name, value)
    return caller
  }

  /** Refuses a caller whose token was revoked, or has expired, since they were let in. */
  async readmit({ request }: Exchange, { token }: Caller): Promise<void> {
    if (token === null) return
    const again = await this.#options.authenticator.identify(request)
    if (again === null) throw unauthenticated('this token does not hold', 'invalid_token')
  }

  /** The holder of a token that was sent to open a session. */
  async recognize(exchange: Exchange, token: string): Promise<Caller> {
    return this.#guarded(exchange, async () => {
      const caller = await this.#options.authenticator.recognize(token, 'session')
      if (caller === null) throw unauthenticated('this token does not hold', 'invalid_token')
      return caller
    })
  }

  #identify(exchange: Exchange): Promise<Caller> {
    return this.#guarded(exchange, async () => {
      const caller = await this.#options.authenticator.identify(exchange.request)
      if (caller === null) throw unauthenticated('this needs a token')
      return caller
    })
  }

  /** Whoever guesses is told to wait after a while; a token that holds is never kept out by others. */
  async #guarded(exchange: Exchange, look: () => Promise<Caller>): Promise<Caller> {
    try {
      return await look()
    } catch (error) {
      const isWrong = error instanceof Problem && error.status === 401
      if (isWrong && exchange.address !== null) this.#options.failures.take(exchange.address)
      throw error
    }
  }
}
