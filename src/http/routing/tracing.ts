import type { Span, SpanContext } from '@opentelemetry/api'
import { importOpenTelemetry } from '../../lib/import-opentelemetry.ts'
import type { Exchange } from '../requests/exchange.ts'

type Api = typeof import('@opentelemetry/api')

/** Answers a request with a span around it. */
export type Traced = (exchange: Exchange, next: () => Promise<Response>) => Promise<Response>

/**
 * Puts a server span around each request, below the one that the client tells of. Where the application
 * has no OpenTelemetry, the trace context of the client is handed on as it came.
 */
export async function openTracing(): Promise<Traced> {
  const api = await importOpenTelemetry()
  return (exchange, next) =>
    api === undefined ? handedOn(exchange, next) : spanned(api, exchange, next)
}

async function handedOn(exchange: Exchange, next: Parameters<Traced>[1]): Promise<Response> {
  if (exchange.traceparent !== undefined) exchange.reply.set('traceparent', exchange.traceparent)
  return next()
}

/** Names as in OpenTelemetry's conventions for HTTP servers. */
async function spanned(
  api: Api,
  exchange: Exchange,
  next: Parameters<Traced>[1],
): Promise<Response> {
  const { request, url } = exchange
  const parent = parentOf(api, exchange.traceparent)
  const options = {
    kind: api.SpanKind.SERVER,
    attributes: {
      'http.request.method': request.method,
      'url.path': url.pathname,
      'url.scheme': url.protocol.slice(0, -1),
      ...(exchange.address === null ? {} : { 'client.address': exchange.address }),
    },
  }
  const tracer = api.trace.getTracer('pgtusk')
  return tracer.startActiveSpan(request.method, options, parent, async (span) => {
    const context = span.spanContext()
    // Without a provider there is no real span, and the trace context of the client goes on as it came.
    const traceparent = api.isSpanContextValid(context) ? headerOf(context) : exchange.traceparent
    if (traceparent !== undefined) exchange.reply.set('traceparent', traceparent)
    const response = await next()
    conclude(api, span, exchange, response.status)
    return response
  })
}

function conclude(api: Api, span: Span, { request, route }: Exchange, status: number): void {
  if (route !== undefined) {
    span.updateName(`${request.method} ${route}`)
    span.setAttribute('http.route', route)
  }
  span.setAttribute('http.response.status_code', status)
  if (status >= 500) {
    span.setAttribute('error.type', String(status))
    span.setStatus({ code: api.SpanStatusCode.ERROR })
  }
  span.end()
}

function parentOf(api: Api, traceparent: string | undefined) {
  const active = api.context.active()
  if (traceparent === undefined) return active
  const [, traceId = '', spanId = '', flags = '00'] = traceparent.split('-')
  return api.trace.setSpanContext(active, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
  })
}

function headerOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}
