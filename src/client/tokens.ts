import type { Queryable } from '../db/queryable.ts'
import type { FoundToken, Token as TokenRow } from '../engine/tokens.ts'
import type { Verbs } from '../engine/verbs.ts'
import { type CamelCase, camelCase } from '../lib/casing.ts'
import type { On } from './on.ts'
import { hashOf, isSecretOf, newSecret, prefixOf } from './token-secret.ts'

/** What a new token is called, what it allows, and until when. */
export interface TokenOptions {
  /** Who or what will use it, for people. */
  readonly name: string
  /** What it allows: `read`, `enqueue`, `enqueue:mail`, `consume`, `consume:mail`, `sql`, `operate`, `admin`. */
  readonly scopes: readonly string[]
  /** Until when; until it is revoked, if left out. */
  readonly expiresAt?: Date | null
}

/** What becomes of the schedules that were set with a token that is revoked. */
export interface RevokeOptions extends On {
  /** Lets schedules that were set with the token go on: for a token that another replaces. */
  readonly keepSchedules?: boolean
}

/** A token as people may see it; its secret was shown once. */
export interface Token extends CamelCase<TokenRow> {}

/** Who somebody is that showed a token. */
export interface TokenHolder extends CamelCase<Omit<FoundToken, 'hash'>> {}

/** The tokens by which people and programs come in over the network: `tusk.tokens`. */
export class TuskTokens {
  readonly #verbs: Verbs
  readonly #db: Queryable

  constructor(verbs: Verbs, db: Queryable) {
    this.#verbs = verbs
    this.#db = db
  }

  /**
   * Creates a token. Its secret is returned here and nowhere else: it cannot be shown again.
   *
   * @example
   * ```ts
   * const { token } = await tusk.tokens.create({ name: 'web shop', scopes: ['enqueue:mail'] })
   * ```
   */
  async create(
    { name, scopes, expiresAt }: TokenOptions,
    { on = this.#db }: On = {},
  ): Promise<{ readonly token: string; readonly id: string }> {
    const { token, prefix } = newSecret()
    const hash = hashOf(token)
    const id = await this.#verbs.createToken(on, { name, prefix, hash, scopes, expiresAt })
    return { token, id }
  }

  /** All tokens, without their secrets. */
  async list({ on = this.#db }: On = {}): Promise<Token[]> {
    return (await this.#verbs.listTokens(on)).map(camelCase)
  }

  /** Whether there is a valid token. Unlike the list, operators may ask this too. */
  exist({ on = this.#db }: On = {}): Promise<boolean> {
    return this.#verbs.hasTokens(on)
  }

  /**
   * Revokes a token and pauses the schedules that were set with it, unless you keep them. Returns
   * how many it paused.
   */
  revoke(
    id: string,
    { on = this.#db, keepSchedules = false }: RevokeOptions = {},
  ): Promise<number> {
    return this.#verbs.revokeToken(on, id, keepSchedules)
  }

  /** Whose token this is. Null if it is invalid, expired or revoked, by the clock of the database. */
  async find(token: string, { on = this.#db }: On = {}): Promise<TokenHolder | null> {
    const prefix = prefixOf(token)
    const found = prefix === null ? null : await this.#verbs.findToken(on, prefix)
    if (found === null || !isSecretOf(token, found.hash)) return null
    const { hash: _, ...holder } = found
    return camelCase(holder)
  }
}
