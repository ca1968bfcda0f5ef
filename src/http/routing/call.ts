import type { z } from '@hono/zod-openapi'
import type { Queryable } from '../../db/queryable.ts'
import type { Caller } from '../gate/caller.ts'
import type { HttpContext } from '../http-context.ts'
import type { Exchange } from '../requests/exchange.ts'

/** A request that was let in and checked: what a handler works with. */
export interface Call<Params, Query, Body> extends Exchange {
  readonly context: HttpContext
  readonly caller: Caller
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /**
   * The transaction of a request with an Idempotency-Key, in which its effect must happen; undefined
   * for all others. Enqueueing and the verbs of executors run `on` it.
   */
  readonly on: Queryable | undefined
  /**
   * Runs what changes something by a person's will: in one transaction with the row of the audit, and
   * with the request's own if there is one.
   */
  audited<T>(work: (db: Queryable) => Promise<T>): Promise<T>
  /** Refuses who would no longer be let in: a request that lasts may outlive its token. */
  readmit(): Promise<void>
  /** For the pipeline: a transaction in the caller's name, and the same call within it. */
  inOneTransaction<T>(work: (db: Queryable) => Promise<T>): Promise<T>
  within(on: Queryable): Call<Params, Query, Body>
}

/** One of the answers of a route. Bodies are JSON, and a Date in them becomes ISO 8601. */
export interface ResponseSpec {
  readonly description: string
  readonly body?: z.ZodType
  /** Instead of JSON; the handler answers with a Response of its own. */
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Responses = Readonly<Record<number, ResponseSpec>>

/** What a schema describes, as it may be given to JSON.stringify(). */
export type Sendable<T> = unknown extends T
  ? unknown
  : T extends string
    ? T | Date
    : T extends readonly (infer Item)[]
      ? readonly Sendable<Item>[]
      : T extends object
        ? { readonly [Name in keyof T]: Sendable<T[Name]> }
        : T

interface AnswerHead {
  readonly headers?: Readonly<Record<string, string>>
}

/** What a handler gives back: one of the declared statuses with its body, or with a whole response. */
export type AnswerOf<R extends Responses> = {
  [Status in keyof R & number]: R[Status] extends { contentType: string }
    ? { readonly status: Status; readonly response: Response }
    : R[Status] extends { body: infer Schema extends z.ZodType }
      ? AnswerHead & { readonly status: Status; readonly body: Sendable<z.input<Schema>> }
      : AnswerHead & { readonly status: Status; readonly body?: undefined }
}[keyof R & number]

/** The same, of any route. */
export interface Answer extends AnswerHead {
  readonly status: number
  readonly body?: unknown
  readonly response?: Response
}
