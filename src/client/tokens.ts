import type { Queryable } from '../db/queryable.ts'
import type { FoundToken, Token as TokenRow } from '../engine/tokens.ts'
import type { Verbs } from '../engine/verbs.ts'
import { type CamelCase, camelCase } from '../lib/casing.ts'
import type { On } from './on.ts'
import { hashOf, isSecretOf, newSecret, prefixOf } from './token-secret.ts'

/** The name, the scopes and the expiry of a new token. */
export interface TokenOptions {
  /** Who or what will use it, shown to operators. */
  readonly name: string
  /** What it allows: `read`, `enqueue`, `enqueue:mail`, `consume`, `consume:mail`, `sql`, `operate`, `admin`. */
  readonly scopes: readonly string[]
  /** When it expires. Default: never. */
  readonly expiresAt?: Date | null
}

/** What happens to the schedules that were set with a revoked token. */
export interface RevokeOptions extends On {
  /** Leaves the schedules that were set with the token active. Use it when you replace a token. */
  readonly keepSchedules?: boolean
}

/** A token without its secret, which is shown only once. */
export interface Token extends CamelCase<TokenRow> {}

/** The token that a request presented: its name and scopes. */
export interface TokenHolder extends CamelCase<Omit<FoundToken, 'hash'>> {}

/** API tokens for people and programs. Available as `tusk.tokens`. */
export class TuskTokens {
  readonly #verbs: Verbs
  readonly #db: Queryable

  constructor(verbs: Verbs, db: Queryable) {
    this.#verbs = verbs
    this.#db = db
  }

  /**
   * Creates a token. Its secret is returned only here and cannot be shown again.
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

  /** Lists all tokens, without their secrets. */
  async list({ on = this.#db }: On = {}): Promise<Token[]> {
    return (await this.#verbs.listTokens(on)).map(camelCase)
  }

  /** Whether a valid token exists. Unlike the list, operators may call this too. */
  exist({ on = this.#db }: On = {}): Promise<boolean> {
    return this.#verbs.hasTokens(on)
  }

  /**
   * Revokes a token and pauses the schedules that were set with it, unless you pass `keepSchedules`. Returns how many
   * it paused.
   */
  revoke(
    id: string,
    { on = this.#db, keepSchedules = false }: RevokeOptions = {},
  ): Promise<number> {
    return this.#verbs.revokeToken(on, id, keepSchedules)
  }

  /** Finds a token by its secret. Null if it is invalid, expired or revoked, by the clock of the database. */
  async find(token: string, { on = this.#db }: On = {}): Promise<TokenHolder | null> {
    const prefix = prefixOf(token)
    const found = prefix === null ? null : await this.#verbs.findToken(on, prefix)
    if (found === null || !isSecretOf(token, found.hash)) return null
    const { hash: _, ...holder } = found
    return camelCase(holder)
  }
}
