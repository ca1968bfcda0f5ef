import { createHash, timingSafeEqual } from 'node:crypto'
import type { TokenHolder } from '../../client/tokens.ts'
import { Problem } from '../answers/problem.ts'
import type { Caller } from './caller.ts'
import { sessionOf } from './session-cookie.ts'

/** What an application says of a request that it has let in itself. */
export interface ApplicationCaller {
  readonly name: string
  readonly scopes: readonly string[]
}

export interface AuthenticatorOptions {
  readonly find: (token: string) => Promise<TokenHolder | null>
  /** A token that holds while this server runs, with the scope admin. */
  readonly token?: string | undefined
  readonly authenticate?:
    | ((request: Request) => ApplicationCaller | null | Promise<ApplicationCaller | null>)
    | undefined
}

/** How long a token that was found is not looked up again: so long may a revoked one still be used. */
const trustMs = 5_000
const mostTrusted = 10_000

/** Tells who somebody is. */
export class Authenticator {
  readonly #options: AuthenticatorOptions
  readonly #own: Buffer | undefined
  readonly #trusted = new Map<string, { readonly holder: TokenHolder; readonly until: number }>()

  constructor(options: AuthenticatorOptions) {
    this.#options = options
    this.#own = options.token === undefined ? undefined : digest(options.token)
  }

  /** Who sends a request; null when it has nothing to show. */
  async identify(request: Request): Promise<Caller | null> {
    const { authenticate } = this.#options
    if (authenticate !== undefined) return asCaller(await authenticate(request))
    const header = request.headers.get('authorization')
    if (header !== null) return this.#bearer(header)
    const session = sessionOf(request)
    return session === undefined ? null : this.recognize(session, 'session')
  }

  /** Whose token this is; null when it is none that holds. */
  async recognize(token: string, by: 'bearer' | 'session'): Promise<Caller | null> {
    const hash = digest(token)
    if (this.#own !== undefined && timingSafeEqual(hash, this.#own)) {
      return { name: 'start', token: null, scopes: ['admin'], by, expiresAt: null }
    }
    const holder = await this.#find(token, hash.toString('base64'))
    if (holder === null) return null
    const { id, name, scopes, expires_at } = holder
    return { name, token: id, scopes, by, expiresAt: expires_at }
  }

  async #bearer(header: string): Promise<Caller> {
    const token = /^Bearer +(\S+)$/i.exec(header)?.[1]
    const caller = token === undefined ? null : await this.recognize(token, 'bearer')
    if (caller === null) throw unauthenticated('this token does not hold', 'invalid_token')
    return caller
  }

  async #find(token: string, hash: string): Promise<TokenHolder | null> {
    const now = performance.now()
    const known = this.#trusted.get(hash)
    if (known !== undefined && now < known.until) return known.holder
    this.#trusted.delete(hash)
    const holder = await this.#options.find(token)
    if (holder !== null) {
      if (this.#trusted.size >= mostTrusted) this.#trusted.clear()
      this.#trusted.set(hash, { holder, until: now + trustMs })
    }
    return holder
  }
}

function asCaller(given: ApplicationCaller | null): Caller | null {
  if (given === null) return null
  return { ...given, token: null, by: 'application', expiresAt: null }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

export function unauthenticated(detail: string, error?: 'invalid_token'): Problem {
  const challenge = `Bearer realm="tusk"${error === undefined ? '' : `, error="${error}"`}`
  return new Problem(401, 'unauthenticated', detail, {
    hint: 'Send `Authorization: Bearer tusk_…`; make a token with `tusk token create`.',
    headers: { 'www-authenticate': challenge },
  })
}
