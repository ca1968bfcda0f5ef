import type { Queryable } from '../db/queryable.ts'
import { call, callOne } from './call.ts'

/** A token without its secret, which is shown only once. */
export interface Token {
  readonly id: string
  readonly name: string
  /** How its secret begins, after `tusk_`. */
  readonly prefix: string
  readonly scopes: readonly string[]
  readonly state: 'alive' | 'expired' | 'revoked'
  readonly created_at: Date
  readonly created_by: string
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  /** Accurate to the minute. */
  readonly last_used_at: Date | null
}

/** The arguments of create_token(). The secret itself is never stored. */
export interface NewToken {
  readonly name: string
  readonly prefix: string
  /** The SHA-256 of the whole token. */
  readonly hash: Buffer
  readonly scopes: readonly string[]
  readonly expiresAt?: Date | null | undefined
}

/** A valid token, with the SHA-256 of its hash to compare with. */
export interface FoundToken {
  readonly id: string
  readonly name: string
  readonly hash: Buffer
  readonly scopes: readonly string[]
  readonly expires_at: Date | null
}

/** Manages API tokens. */
export function tokens(schema: string) {
  return {
    createToken: async (db: Queryable, token: NewToken): Promise<string> => {
      const text = `select ${schema}.create_token($1, $2, $3, $4, $5) as id`
      const { name, prefix, hash, scopes, expiresAt = null } = token
      return (await callOne<{ id: string }>(db, text, [name, prefix, hash, scopes, expiresAt])).id
    },
    findToken: async (db: Queryable, prefix: string): Promise<FoundToken | null> =>
      (await call<FoundToken>(db, `select * from ${schema}.find_token($1)`, [prefix]))[0] ?? null,
    /** Whether a valid token exists. */
    hasTokens: async (db: Queryable): Promise<boolean> =>
      (await callOne<{ has: boolean }>(db, `select ${schema}.has_tokens() as has`, [])).has,
    /** The key with which a server signs the claims that it hands out. */
    claimSecret: async (db: Queryable): Promise<Buffer> =>
      (await callOne<{ secret: Buffer }>(db, `select ${schema}.claim_secret() as secret`, []))
        .secret,
    /** Returns how many schedules it paused. */
    revokeToken: async (db: Queryable, id: string, keepSchedules = false): Promise<number> => {
      const text = `select ${schema}.revoke_token($1, $2) as paused`
      return (await callOne<{ paused: number }>(db, text, [id, keepSchedules])).paused
    },
    listTokens: (db: Queryable) => call<Token>(db, `select * from ${schema}.token order by id`, []),
  }
}
