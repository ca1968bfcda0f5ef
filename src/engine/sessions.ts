import type { Queryable } from '../db/queryable.ts'
import { call, callOne } from './call.ts'

/** What a session is opened with: hashes, never the secrets themselves. */
export interface NewSession {
  /** The SHA-256 of the session's secret. */
  readonly hash: Buffer
  /** What finds the token; null for the token that the server was started with. */
  readonly prefix: string | null
  /** The SHA-256 of the token. */
  readonly tokenHash: Buffer
}

/** Whose session it is; all but the time are null for the server's own token. */
export interface FoundSession {
  readonly id: string | null
  readonly name: string | null
  readonly scopes: readonly string[] | null
  readonly expires_at: Date
}

/** What the cookies of browsers stand for. */
export function sessions(schema: string) {
  return {
    /** Answers until when it is open. */
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
