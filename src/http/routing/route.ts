import type { z } from '@hono/zod-openapi'
import type { RouteScope } from '../gate/scopes.ts'
import type { Answer, AnswerOf, Call, Responses } from './call.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** A route as its file declares it: who may call it, what it takes, what it answers. */
export interface RouteSpec<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  R extends Responses,
> {
  readonly method: Method
  /** Below /api/v1, in the words of OpenAPI: `/tasks/{id}`. */
  readonly path: string
  /** Who may call it. There is no default: to leave it out is an error. */
  readonly scope: RouteScope
  /** Its heading in the documentation. */
  readonly tag: string
  /** What a client generator names the function, verb first: `pauseQueue`. */
  readonly operationId: string
  /** What it does, verb first: `Pause a queue`. */
  readonly summary: string
  readonly description?: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  readonly responses: R
  /** With If-Match it changes only what has not changed since it was read: through edit() or requireUnchanged(). */
  readonly heedsIfMatch?: true
  /** An answer that does not end by itself. */
  readonly isStream?: boolean
  /** No rate limit applies. */
  readonly isUnlimited?: boolean
  /** Outside /api/v1, such as /healthz. */
  readonly atRoot?: boolean
  /** Runs after the commit, also when the stored answer of an Idempotency-Key is given again. */
  readonly afterwards?: (call: AnyCall, answer: Answer) => Promise<Answer>
}

export type AnyCall = Call<unknown, unknown, unknown>

/** What a route without params, query or body finds there. */
export type Nothing = z.ZodUndefined

/** A route of any kind, ready to be served. */
export type AnySpec = RouteSpec<z.ZodType, z.ZodType, z.ZodType, Responses>
export type AnyHandler = (call: AnyCall) => Promise<Answer>

/** Where the files of routes/ put their routes. */
export interface Api {
  route<
    Params extends z.ZodType = Nothing,
    Query extends z.ZodType = Nothing,
    Body extends z.ZodType = Nothing,
    const R extends Responses = Responses,
  >(
    spec: RouteSpec<Params, Query, Body, R>,
    handler: (
      call: Call<z.output<Params>, z.output<Query>, z.output<Body>>,
    ) => Promise<AnswerOf<NoInfer<R>>>,
  ): void
}
