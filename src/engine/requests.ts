import type { Queryable } from '../db/queryable.ts'
import { call, callOne, done } from './call.ts'
import type { Json } from './task.ts'

/** The stored response to a request. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Whether a request is new, in progress elsewhere, answered, or different from the one that used its key before. */
export type BegunRequest =
  | { readonly state: 'new' | 'busy' | 'different' }
  | ({ readonly state: 'done' } & Answer)

/** Identifies a request: its caller, its key, and a digest of its content. */
export interface RequestKey {
  readonly caller: string
  readonly key: string
}

/** Requests that take effect once, however often they are sent. */
export function requests(schema: string) {
  return {
    /** Call it in the transaction of the effect. */
    beginRequest: async (
      db: Queryable,
      { caller, key }: RequestKey,
      fingerprint: Buffer,
    ): Promise<BegunRequest> => {
      const text = `select * from ${schema}.begin_request($1, $2, $3)`
      const begun = await callOne<BegunRequest>(db, text, [caller, key, fingerprint])
      return begun.state === 'done' ? begun : { state: begun.state }
    },
    /** Call it in the same transaction, so that the effect and the response commit together. */
    endRequest: (db: Queryable, { caller, key }: RequestKey, answer: Answer) =>
      done(
        call(db, `select ${schema}.end_request($1, $2, $3, $4, $5)`, [
          caller,
          key,
          answer.status,
          JSON.stringify(answer.headers satisfies Json),
          answer.body,
        ]),
      ),
  }
}
