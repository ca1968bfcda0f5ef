import { createHash, timingSafeEqual } from 'node:crypto'
import { Problem } from '../answers/problem.ts'
import type { Caller } from './caller.ts'
import { type Holder, KnownHolders } from './known-holders.ts'
import { ownHolder } from './own-holder.ts'
import { sessionOf } from './session-cookie.ts'
import type { Sessions } from './sessions.ts'

/** What an application says of a request that it has let in itself. */
export interface ApplicationCaller {
  readonly name: string
  readonly scopes: readonly string[]
}

export interface AuthenticatorOptions {
  readonly find: (token: string) => Promise<Holder | null>
  readonly sessions: Sessions
  /** A token that holds while this server runs, with the scope admin. */
  readonly token?: string | undefined
  readonly authenticate?:
    | ((request: Request) => ApplicationCaller | null | Promise<ApplicationCaller | null>)
    | undefined
}

/** Asked before the database is, about a secret that was never right before; throws to refuse. */
type IsAllowed = () => void

/** Finds out who the caller is. */
export class Authenticator {
  readonly #options: AuthenticatorOptions
  readonly #own: Buffer | undefined
  readonly #tokens = new KnownHolders()
  readonly #sessions = new KnownHolders()

  constructor(options: AuthenticatorOptions) {
    this.#options = options
    this.#own = options.token === undefined ? undefined : digest(options.token)
  }

  /** Who sends a request; null when it has nothing to show. */
  async identify(request: Request, isAllowed: IsAllowed): Promise<Caller | null> {
    const { authenticate, sessions } = this.#options
    if (authenticate !== undefined) return asCaller(await authenticate(request))
    const header = request.headers.get('authorization')
    if (header !== null) return this.#bearer(header, isAllowed)
    const secret = sessionOf(request)
    if (secret === undefined) return null
    const holder = await this.#sessions.find(secret, () => sessions.find(secret), isAllowed)
    return holder === null ? null : callerOf(holder, 'session')
  }

  /** Opens a session for the holder of a token; null when it is none that holds. */
  async openSession(
    token: string,
    isAllowed: IsAllowed,
  ): Promise<{ readonly caller: Caller; readonly secret: string } | null> {
    const holder = await this.#holderOf(token, isAllowed)
    const opened = holder === null ? null : await this.#options.sessions.open(token)
    if (holder === null || opened === null) return null
    const { secret, until } = opened
    return { caller: callerOf({ ...holder, expiresAt: until }, 'session'), secret }
  }

  async closeSession(request: Request): Promise<void> {
    const secret = sessionOf(request)
    if (secret === undefined) return
    this.#sessions.forget(secret)
    await this.#options.sessions.close(secret)
  }

  async #bearer(header: string, isAllowed: IsAllowed): Promise<Caller> {
    const token = /^Bearer +(\S+)$/i.exec(header)?.[1]
    const holder = token === undefined ? null : await this.#holderOf(token, isAllowed)
    if (holder === null) throw invalidToken()
    return callerOf(holder, 'bearer')
  }

  async #holderOf(token: string, isAllowed: IsAllowed): Promise<Holder | null> {
    if (this.#own !== undefined && timingSafeEqual(digest(token), this.#own)) return ownHolder
    return this.#tokens.find(token, () => this.#options.find(token), isAllowed)
  }
}

function asCaller(given: ApplicationCaller | null): Caller | null {
  if (given === null) return null
  return { ...given, token: null, by: 'application', expiresAt: null }
}

function callerOf({ id, name, scopes, expiresAt }: Holder, by: 'bearer' | 'session'): Caller {
  return { name, token: id, scopes, by, expiresAt }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

export function invalidToken(): Problem {
  return unauthenticated('invalid, expired or revoked token', 'invalid_token')
}

export function unauthenticated(detail: string, error?: 'invalid_token'): Problem {
  const challenge = `Bearer realm="tusk"${error === undefined ? '' : `, error="${error}"`}`
  return new Problem(401, 'unauthenticated', detail, {
    hint: 'Send `Authorization: Bearer tusk_…`. Create a token with `tusk token create`.',
    headers: { 'www-authenticate': challenge },
  })
}
