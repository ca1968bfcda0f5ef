import { createHash } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import type { Queryable } from '../../db/queryable.ts'
import { callingAs } from '../../engine/calling-as.ts'
import { Problem } from '../answers/problem.ts'
import { respond } from '../answers/respond.ts'
import type { Caller } from '../gate/caller.ts'
import type { Gate } from '../gate/gate.ts'
import type { RouteScope } from '../gate/scopes.ts'
import type { HttpContext } from '../http-context.ts'
import type { Exchange } from '../requests/exchange.ts'
import { idempotently } from '../requests/idempotency.ts'
import { parseJson } from '../requests/parse-json.ts'
import { readBody } from '../requests/read-body.ts'
import { check, readQuery } from '../requests/read-query.ts'
import type { AnyCall, AnyHandler, AnySpec } from './route.ts'

/** What the pipeline of a request stands on. */
export interface Serving {
  readonly context: HttpContext
  readonly gate: Gate
  readonly maxBodyBytes: number
  readonly bodyTimeoutMs: number
}

const nothing = z.strictObject({})

/**
 * A request's way to its handler: who it is, what they may, what they sent, whether it was answered
 * before. What is wrong is thrown as a Problem, and the answer has the first one.
 */
export async function serveRoute(
  serving: Serving,
  spec: AnySpec,
  handler: AnyHandler,
  exchange: Exchange,
  path: unknown,
): Promise<Response> {
  const caller = await serving.gate.admit(exchange, spec)
  const params = check('params', spec.params ?? z.unknown(), path)
  const query = readAndCheckQuery(spec, exchange)
  const bytes = await readBodyOf(serving, spec, exchange)
  const body = readJson(spec, exchange, bytes)
  const call = openCall(serving, exchange, caller, { params, query, body })
  const key = keyOf(spec, exchange)
  const answer = await (key === null
    ? handler(call)
    : idempotently(call, key, fingerprint(exchange, bytes), handler))
  return respond(spec.afterwards === undefined ? answer : await spec.afterwards(call, answer))
}

/** Scopes of routes that change nothing: to ask them twice does no harm, and nothing is stored of them. */
const readOnly: ReadonlySet<RouteScope> = new Set(['open', 'any', 'read'])

/** The key of a request whose answer is stored. Who may only read must not be able to fill a table. */
function keyOf({ method, scope }: AnySpec, { request }: Exchange): string | null {
  if (method !== 'post' || readOnly.has(scope)) return null
  return request.headers.get('idempotency-key')
}

function readAndCheckQuery({ query = nothing }: AnySpec, { url }: Exchange): unknown {
  return check('query', query, readQuery(query, url.searchParams))
}

function readBodyOf(serving: Serving, { method }: AnySpec, { request }: Exchange): Promise<Buffer> {
  if (method === 'get') return Promise.resolve(Buffer.alloc(0))
  return readBody(request, serving.maxBodyBytes, serving.bodyTimeoutMs)
}

/** No body is the same as an empty object: what is missing in it is named. */
function readJson({ method, body = nothing }: AnySpec, { request }: Exchange, bytes: Buffer) {
  if (method === 'get') return undefined
  if (bytes.length === 0) return check('body', body, {})
  refuseEncoded(request)
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
    throw new Problem(
      415,
      'unsupported_media_type',
      `a body must be application/json${type === '' ? '' : `, not ${type}`}`,
      { hint: 'Send the header Content-Type: application/json.' },
    )
  }
  return check('body', body, parseJson(bytes))
}

function refuseEncoded({ headers }: Request): void {
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding.trim().toLowerCase() === 'identity') return
  throw new Problem(
    415,
    'unsupported_media_type',
    `the server does not accept a body encoded as ${encoding}`,
    {
      hint: 'Send the body uncompressed, without Content-Encoding.',
      headers: { 'accept-encoding': 'identity' },
    },
  )
}

interface Parts {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

function openCall(
  { context, gate }: Serving,
  exchange: Exchange,
  caller: Caller,
  parts: Parts,
): AnyCall {
  const { tusk, writeTimeoutMs: timeoutMs } = context
  const inTheirName = <T>(work: (db: Queryable) => Promise<T>) =>
    callingAs(tusk.pool, inAudit(exchange, caller), work, { timeoutMs })
  const open = (on: Queryable | undefined): AnyCall => ({
    // Not spread: the signal is made when it is asked for.
    ...parts,
    requestId: exchange.requestId,
    request: exchange.request,
    url: exchange.url,
    address: exchange.address,
    origin: exchange.origin,
    reply: exchange.reply,
    route: exchange.route,
    traceparent: exchange.traceparent,
    hangUp: () => exchange.hangUp(),
    get signal() {
      return exchange.signal
    },
    context,
    caller,
    on,
    within: open,
    audited: (work) => (on === undefined ? inTheirName(work) : work(on)),
    readmit: () => gate.readmit(exchange, caller),
    inOneTransaction: inTheirName,
  })
  return open(undefined)
}

function inAudit({ requestId, address }: Exchange, { name, token }: Caller) {
  return {
    actor: name,
    door: 'http',
    token: token ?? undefined,
    address: address ?? undefined,
    request: requestId,
  }
}

/** What makes two requests the same: where they go and what they bring. */
function fingerprint({ request, url }: Exchange, bytes: Buffer): Buffer {
  return createHash('sha256')
    .update(`${request.method} ${url.pathname}${url.search}\n`)
    .update(bytes)
    .digest()
}
