import type { Queryable } from '../db/queryable.ts'
import { call, callOne } from './call.ts'

/** A new session of a browser: hashes, never the secrets themselves. */
export interface NewSession {
  /** The SHA-256 of the session's secret. */
  readonly hash: Buffer
  /** The prefix by which the token is found. Null for the token that the server was started with. */
  readonly prefix: string | null
  /** The SHA-256 of the token. */
  readonly tokenHash: Buffer
}

/** The token of a session. Everything except the time is null for the server's own token. */
export interface FoundSession {
  readonly id: string | null
  readonly name: string | null
  readonly scopes: readonly string[] | null
  readonly expires_at: Date
}

/** The sessions behind browser cookies. */
export function sessions(schema: string) {
  return {
    /** Returns when the session expires. */
    openSession: async (db: Queryable, session: NewSession): Promise<Date> => {
      const text = `select ${schema}.open_session($1, $2, $3) as until`
      const { hash, prefix, tokenHash } = session
      return (await callOne<{ until: Date }>(db, text, [hash, prefix, tokenHash])).until
    },
    findSession: async (
      db: Queryable,
      hash: Buffer,
      door: Buffer | null,
    ): Promise<FoundSession | null> => {
      const text = `select * from ${schema}.find_session($1, $2)`
      return (await call<FoundSession>(db, text, [hash, door]))[0] ?? null
    },
    closeSession: async (db: Queryable, hash: Buffer): Promise<boolean> => {
      const text = `select ${schema}.close_session($1) as closed`
      return (await callOne<{ closed: boolean }>(db, text, [hash])).closed
    },
  }
}
