/**
 * The HTTP door. It translates and decides nothing: what may happen is the engine's to say.
 *
 *   routing/   finds a request's route, and leads it from room to room: serve-route.ts is the way
 *   gate/      who asks, and what they may
 *   requests/  what they sent: bodies, queries, cursors, ETags, Idempotency-Keys
 *   routes/    what is done, one file per resource; schemas/ says what goes in and out
 *   answers/   what goes back: rows as they travel, problems, pages of lists
 *   waiting/   requests that wait, and what goes on after its answer
 *   events/    the stream of events; metrics/ is Prometheus, pages/ the dashboard and the documentation
 *
 * How to add a route:
 * 1. Its schemas go into schemas/<resource>.ts: strictObject for what comes in, object for what goes
 *    out, with .openapi('Name') for what the documentation should name. JSON is snake_case, ids are
 *    strings (`id`), times ISO 8601 (`givenTime` in, `time` out), spans of time Postgres's words.
 * 2. The route goes into routes/<resource>.ts, in its register(api, context):
 *
 *      api.route(
 *        { method: 'post', path: '/queues/{name}/pause', scope: 'operate', tag: 'Queues',
 *          operationId: 'pauseQueue', summary: 'Pause a queue', params: byName,
 *          responses: { 204: { description: 'Queue paused' } } },
 *        async (call) => {
 *          await call.audited((db) => context.verbs.pause(db, call.params.name))
 *          return { status: 204 }
 *        },
 *      )
 *
 *    `scope` has no default. Look with `context.verbs.…(context.reads, …)`. What a person changes goes
 *    through `call.audited()`; what a program changes runs on `call.on ?? context.writes`. Nothing else may
 *    write, so that an Idempotency-Key holds for it. Throw a Problem to refuse; refusals of the engine
 *    become problems by themselves. Lists: fromCursor(), toCursor(), nextLink(). Edits: etagOf()
 *    and edit(). A scope of one queue: requireScope(call.caller, 'enqueue', queue).
 *    An answer that is not JSON declares its contentType and gives `{ status, response }`; one that does
 *    not end by itself says `isStream: true` and ends on call.signal.
 * 3. A new file is listed in routes/all.ts.
 *
 * The test over all routes and the contract test find it by themselves.
 */

import type { IncomingMessage } from 'node:http'
import { toTimerMs } from '../lib/duration.ts'
import { requireOptions } from '../lib/require-known.ts'
import { problemOf } from './answers/problem-of.ts'
import { dress, respondWithProblem } from './answers/respond.ts'
import { openGate } from './gate/open-gate.ts'
import type { HttpContext } from './http-context.ts'
import { type NodeListener, nodeListener } from './node-listener.ts'
import { openHttpContext } from './open-context.ts'
import { type HttpOptions, httpOptions } from './options.ts'
import { openDashboard } from './pages/dashboard.ts'
import { openExchange } from './requests/exchange.ts'
import { registerAll } from './routes/all.ts'
import { register as registerDocumentation } from './routes/documentation.ts'
import { register as registerSession } from './routes/session.ts'
import { declareSecurity, describeApi } from './routing/openapi.ts'
import { type KnownRoute, openRouting, type Routing } from './routing/routing.ts'
import { openTracing } from './routing/tracing.ts'
import { UnderWay } from './waiting/under-way.ts'

/** The HTTP door, ready to be put into a server. */
export interface Http {
  /** For Hono, and everything else that speaks Request and Response. */
  fetch(request: Request): Promise<Response>
  /** For node:http, Express and Fastify. */
  readonly listener: NodeListener
  /** All routes, with the scope that each asks for. */
  readonly routes: readonly KnownRoute[]
  /** Ends what waits and streams, and closes what was opened here; the client stays open. */
  close(): Promise<void>
}

/** How long closing waits for answers that are being made. */
const finishWithinMs = 5_000

/**
 * Opens the HTTP door over a client.
 *
 * @example
 * ```ts
 * const tusk = await Tusk.open()
 * const http = await createHttp({ tusk, basePath: '/tusk' })
 * app.use('/tusk', http.listener) // Express
 * ```
 */
export async function createHttp(options: HttpOptions): Promise<Http> {
  requireOptions('createHttp()', options, httpOptions)
  const closing = new AbortController()
  const underWay = new UnderWay()
  const { context, close } = openHttpContext(options, closing.signal)
  const { app, routes } = openApp(options, context)
  const traced = await openTracing()

  const answer = async (request: Request, incoming?: IncomingMessage): Promise<Response> => {
    const exchange = openExchange(request, {
      incoming,
      trustProxy: options.trustProxy ?? false,
      closing: closing.signal,
      publicOrigin: options.origin,
    })
    const response = await traced(exchange, () =>
      underWay
        .answer(async () => app.fetch(request, { exchange }))
        .catch((error: unknown) => refuse(error, exchange.requestId)),
    )
    return dress(response, exchange)
  }
  const refuse = (error: unknown, request: string): Response => {
    const problem = problemOf(error)
    if (problem.code === 'internal')
      context.logger.error({ err: error, request }, 'a request failed')
    return respondWithProblem(problem, request)
  }

  let closed: Promise<void> | undefined
  const end = async () => {
    closing.abort()
    await underWay.close(finishWithinMs)
    await close()
  }

  return {
    fetch: (request) => answer(request),
    listener: nodeListener(answer),
    routes,
    close: () => {
      closed ??= end()
      return closed
    },
  }
}

function openApp(options: HttpOptions, context: HttpContext): Pick<Routing, 'app' | 'routes'> {
  const gate = openGate(options, context)
  const { app, api, routes } = openRouting({
    context,
    gate,
    maxBodyBytes: options.maxBodyBytes ?? 1024 * 1024,
    bodyTimeoutMs: toTimerMs('bodyTimeoutMs', options.bodyTimeoutMs ?? 30_000),
  })
  declareSecurity(app)
  registerAll(api, context)
  registerSession(api, context, gate)
  registerDocumentation(api, () => describeApi(app, context.basePath), context.basePath)
  if (options.dashboard !== false) {
    const dashboard = openDashboard(context.basePath, options.dashboard)
    app.get('*', async (c, next) => (await dashboard(c.req.raw, c.req.path)) ?? next())
  }
  return { app, routes }
}
