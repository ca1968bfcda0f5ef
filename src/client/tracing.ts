import type { Span, Tracer } from '@opentelemetry/api'
import type { Enqueued, Json, NewTask } from '../engine/task.ts'
import { importOpenTelemetry } from '../lib/import-opentelemetry.ts'
import { redact } from '../lib/redact.ts'

type Api = typeof import('@opentelemetry/api')
type Enqueue = (tasks: readonly NewTask[]) => Promise<readonly Enqueued[]>

/** Stores tasks with a span around it. */
export type Traced = (tasks: readonly NewTask[], next: Enqueue) => Promise<readonly Enqueued[]>

/**
 * Puts a producer span around enqueueing, and its context into the tasks' meta, where the worker
 * finds it. Answers undefined where the application has no OpenTelemetry: then nothing is wrapped.
 */
export async function openTracing(): Promise<Traced | undefined> {
  const api = await importOpenTelemetry()
  if (api === undefined) return undefined
  const tracer = api.trace.getTracer('pgtusk')
  return (tasks, next) => traced(api, tracer, tasks, next)
}

/** Names as in OpenTelemetry's conventions for messaging. */
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

/** The task with the span's context in its meta, in the form of W3C Trace Context. */
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
