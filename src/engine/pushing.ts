import type { Queryable } from '../db/queryable.ts'
import { call, done } from './call.ts'
import type { Json } from './task.ts'

/** Where a worker finds a secret. */
export type SecretPlace =
  | { readonly env: string }
  | { readonly file: string }
  | { readonly callback: string }

/** The endpoint that the tasks of a queue are delivered to. */
export interface Push {
  readonly url: string
  /** Where workers find the secrets that sign a delivery, the newest first. */
  readonly secrets: readonly SecretPlace[]
  /** How long to wait for the endpoint's answer, such as '30 seconds'. */
  readonly timeout?: string | undefined
}

/** An endpoint, as workers read it. */
export interface PushEndpoint {
  readonly queue: string
  readonly url: string
  readonly secrets: readonly SecretPlace[]
  readonly timeout_ms: number
}

/** An endpoint, as operators see it. */
export interface PushInfo extends Required<Push> {
  readonly queue: string
  readonly timeout: string
  readonly set_by: string
  readonly set_at: Date
}

/** Delivers the tasks of a queue to an endpoint. */
export function pushing(schema: string) {
  return {
    /** Null ends the delivery. */
    setPush: (db: Queryable, queue: string, push: Push | Json) =>
      done(
        call(db, `select ${schema}.set_push($1, $2)`, [
          queue,
          push === null ? null : JSON.stringify(push),
        ]),
      ),
    readPush: (db: Queryable, queues: readonly string[] | null) =>
      call<PushEndpoint>(
        db,
        `select queue, url, secrets, timeout_ms::float8 from ${schema}.read_push($1)`,
        [queues],
      ),
    pushes: (db: Queryable, queue: string | null = null) =>
      call<PushInfo>(
        db,
        `select queue, url, secrets, timeout::text, set_by, set_at from ${schema}.push
         where $1::text is null or queue = $1 order by queue`,
        [queue],
      ),
  }
}
