import type { Context, Link, Span } from '@opentelemetry/api'
import type { Json } from '../../engine/task.ts'
import { importOpenTelemetry } from '../../lib/import-opentelemetry.ts'
import type { ExecutionResult } from './execute-request.ts'

type Api = typeof import('@opentelemetry/api')

/** What a span records of a SQL task. */
export interface TracedTask {
  readonly id: string
  readonly queue: string
  readonly attempt: number
  readonly meta: Json
}

/** What a span records of the SQL itself. */
export interface TracedQuery {
  /** The kinds of its statements, in order. */
  readonly kinds: readonly string[]
  /** The text, only of registered statements: the text of a task may hold secrets. */
  readonly text: string | undefined
  /** The name of a registered statement. */
  readonly statement: string | undefined
  readonly database: string | undefined
  readonly host: string | undefined
  readonly port: number | undefined
}

/** Creates spans around SQL tasks. `within` passes the outer span on. */
export interface SqlTracing {
  task(
    task: TracedTask,
    work: (within: Context | undefined) => Promise<ExecutionResult>,
  ): Promise<ExecutionResult>
  query(
    within: Context | undefined,
    about: () => TracedQuery,
    work: () => Promise<ExecutionResult>,
  ): Promise<ExecutionResult>
}

const untraced: SqlTracing = {
  task: (_, work) => work(undefined),
  query: (_, __, work) => work(),
}

/**
 * A consumer span around each SQL task, below the span that enqueued it, and a client span around its SQL. Does nothing
 * if the application has no OpenTelemetry, or no provider.
 */
export async function openSqlTracing(): Promise<SqlTracing> {
  const api = await importOpenTelemetry()
  if (api === undefined) return untraced
  const probe = api.trace.getTracer('pgtusk').startSpan('probe')
  if (!api.isSpanContextValid(probe.spanContext())) return untraced
  return {
    task: (task, work) => traceTask(api, task, work),
    query: (within, about, work) => traceQuery(api, within, about(), work),
  }
}

/** Names follow OpenTelemetry's conventions for messaging. */
function traceTask(
  api: Api,
  task: TracedTask,
  work: (within: Context) => Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  const producer = producerOf(api, task.meta)
  const links: Link[] = producer === undefined ? [] : [{ context: producer }]
  const active = api.context.active()
  const parent = producer === undefined ? active : api.trace.setSpanContext(active, producer)
  const attributes = {
    'messaging.system': 'tusk',
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.destination.name': task.queue,
    'messaging.message.id': task.id,
    'tusk.attempt': task.attempt,
  }
  const options = { kind: api.SpanKind.CONSUMER, links, attributes }
  const span = api.trace.getTracer('pgtusk').startSpan(`process ${task.queue}`, options, parent)
  return ended(api, span, work(api.trace.setSpan(parent, span)))
}

/** Names follow OpenTelemetry's stable conventions for databases. */
function traceQuery(
  api: Api,
  within: Context | undefined,
  { kinds, text, statement, database, host, port }: TracedQuery,
  work: () => Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  const operations = kinds.map((kind) => kind.toUpperCase())
  const summary = statement ?? operations.slice(0, 5).join(' ')
  const attributes = {
    'db.system.name': 'postgresql',
    ...(summary === '' ? {} : { 'db.query.summary': summary }),
    ...(operations.length === 1 ? { 'db.operation.name': operations[0] ?? '' } : {}),
    ...(operations.length > 1 ? { 'db.operation.batch.size': operations.length } : {}),
    ...(text === undefined ? {} : { 'db.query.text': text }),
    ...(database === undefined ? {} : { 'db.namespace': database }),
    ...(host === undefined ? {} : { 'server.address': host }),
    ...(port === undefined ? {} : { 'server.port': port }),
  }
  const name = summary === '' ? (database ?? 'postgresql') : summary
  const options = { kind: api.SpanKind.CLIENT, attributes }
  const span = api.trace.getTracer('pgtusk').startSpan(name, options, within)
  return ended(api, span, work())
}

async function ended(
  api: Api,
  span: Span,
  work: Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  try {
    const ran = await work
    if (ran.kind === 'failed') {
      const { code } = ran.error
      span.setAttribute('error.type', code)
      if (/^[0-9A-Z]{5}$/.test(code)) span.setAttribute('db.response.status_code', code)
      span.setStatus({ code: api.SpanStatusCode.ERROR })
    }
    return ran
  } catch (error) {
    span.setAttribute('error.type', error instanceof Error ? error.name : 'NonError')
    span.setStatus({ code: api.SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}

/** The trace context that enqueue() stored in the task's meta, as W3C Trace Context. */
function producerOf(api: Api, meta: Json) {
  const { traceparent } = (meta ?? {}) as { traceparent?: unknown }
  if (typeof traceparent !== 'string') return undefined
  const [, traceId = '', spanId = '', flags = '00'] = traceparent.split('-')
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return api.isSpanContextValid(context) ? context : undefined
}
