import type { Span, Tracer } from '@opentelemetry/api'
import type { Enqueued, Json, NewTask } from '../engine/task.ts'
import { importOpenTelemetry } from '../lib/import-opentelemetry.ts'
import { redact } from '../lib/redact.ts'

type Api = typeof import('@opentelemetry/api')
type Enqueue = (tasks: readonly NewTask[]) => Promise<readonly Enqueued[]>

/** Stores tasks inside a span. */
export type Traced = (tasks: readonly NewTask[], next: Enqueue) => Promise<readonly Enqueued[]>

/**
 * Creates a producer span for each enqueue and puts its context into the tasks' meta, where the worker finds it.
 * Returns undefined if the application has no OpenTelemetry.
 */
export async function openTracing(): Promise<Traced | undefined> {
  const api = await importOpenTelemetry()
  if (api === undefined) return undefined
  const tracer = api.trace.getTracer('pgtusk')
  return (tasks, next) => traced(api, tracer, tasks, next)
}

/** Names follow OpenTelemetry's conventions for messaging. */
async function traced(
  api: Api,
  tracer: Tracer,
  tasks: readonly NewTask[],
  next: Enqueue,
): Promise<readonly Enqueued[]> {
  const queues = new Set(tasks.map(({ queue }) => queue))
  const [queue = ''] = queues
  const span = tracer.startSpan(queues.size === 1 ? `send ${queue}` : 'send', {
    kind: api.SpanKind.PRODUCER,
    attributes: {
      'messaging.system': 'tusk',
      'messaging.operation.name': 'send',
      'messaging.operation.type': 'send',
      ...(queues.size === 1 ? { 'messaging.destination.name': queue } : {}),
      ...(tasks.length === 1 ? {} : { 'messaging.batch.message_count': tasks.length }),
    },
  })
  try {
    const enqueued = await next(tasks.map((task) => carrying(api, span, task)))
    if (enqueued.length === 1) span.setAttribute('messaging.message.id', enqueued[0]?.id ?? '')
    return enqueued
  } catch (error) {
    const { code } = error as { code?: unknown }
    span.setAttribute('error.type', typeof code === 'string' ? code : 'Error')
    span.setStatus({ code: api.SpanStatusCode.ERROR, message: redact(String(error)) })
    throw error
  } finally {
    span.end()
  }
}

/** Adds the span's context to the task's meta, as W3C Trace Context. */
function carrying(api: Api, span: Span, task: NewTask): NewTask {
  const context = span.spanContext()
  if (!api.isSpanContextValid(context)) return task
  const flags = context.traceFlags.toString(16).padStart(2, '0')
  const state = context.traceState?.serialize()
  return {
    ...task,
    meta: {
      ...(task.meta as Readonly<Record<string, Json>> | undefined),
      traceparent: `00-${context.traceId}-${context.spanId}-${flags}`,
      ...(state === undefined ? {} : { tracestate: state }),
    },
  }
}
