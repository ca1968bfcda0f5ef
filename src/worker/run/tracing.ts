import type { Link } from '@opentelemetry/api'
import { importOpenTelemetry } from '../../lib/import-opentelemetry.ts'
import { redact } from '../../lib/redact.ts'
import type { Middleware } from '../../runners/handler/perform.ts'
import type { Context } from '../../tasks/context.ts'

type Api = typeof import('@opentelemetry/api')

/**
 * Puts a consumer span around each handler, below the span that enqueued the task and linked to it:
 * one trace from the request to what it set off. Answers
 * undefined where the application has no OpenTelemetry: then nothing is wrapped.
 */
export async function openTracing(): Promise<Middleware | undefined> {
  const api = await importOpenTelemetry()
  // Without a provider every span is thrown away; making them would cost each task for nothing.
  if (api === undefined || !isProvided(api)) return undefined
  const tracer = api.trace.getTracer('pgtusk')
  return (context, next) => {
    const { queue } = context.task
    const producer = producerOf(api, context)
    const links: Link[] = producer === undefined ? [] : [{ context: producer }]
    const options = { kind: api.SpanKind.CONSUMER, links, attributes: attributesOf(context) }
    const active = api.context.active()
    const parent = producer === undefined ? active : api.trace.setSpanContext(active, producer)
    return tracer.startActiveSpan(`process ${queue}`, options, parent, async (span) => {
      try {
        return await next()
      } catch (error) {
        span.setAttribute('error.type', error instanceof Error ? error.name : 'NonError')
        span.setStatus({ code: api.SpanStatusCode.ERROR, message: redact(String(error)) })
        throw error
      } finally {
        span.end()
      }
    })
  }
}

/** Middleware in the order in which it is entered. */
export function nestMiddleware(outer: Middleware | undefined, inner: Middleware | undefined) {
  if (outer === undefined || inner === undefined) return outer ?? inner
  return (context: Context, next: () => Promise<unknown>) =>
    outer(context, () => inner(context, next))
}

/** Without a provider, a span has no valid context. This one is never ended, and so never exported. */
function isProvided(api: Api): boolean {
  const probe = api.trace.getTracer('pgtusk').startSpan('probe')
  return api.isSpanContextValid(probe.spanContext())
}

/** Names as in OpenTelemetry's conventions for messaging. */
function attributesOf({ task, attempt }: Context) {
  return {
    'messaging.system': 'tusk',
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.destination.name': task.queue,
    'messaging.message.id': task.id,
    'tusk.handler': task.handler ?? '',
    'tusk.attempt': attempt,
  }
}

/** What enqueue() left in the task's meta, in the form of W3C Trace Context. */
function producerOf(api: Api, { task }: Context) {
  const { traceparent } = (task.meta ?? {}) as { traceparent?: unknown }
  if (typeof traceparent !== 'string') return undefined
  const [, traceId = '', spanId = '', flags = '00'] = traceparent.split('-')
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return api.isSpanContextValid(context) ? context : undefined
}
