import { context, SpanKind, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { test } from '../support/http.ts'

const exporter = new InMemorySpanExporter()
const traceId = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${traceId}-b7ad6b7169203331-01`

beforeAll(() => {
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
})
beforeEach(() => exporter.reset())
afterAll(() => {
  trace.disable()
  context.disable()
})

test('a request is a span below that of its client, and its task carries the trace on', async ({
  ask,
  engine,
}) => {
  const { body, headers } = await ask.post(
    '/tasks',
    { queue: 'mail' },
    { headers: { traceparent } },
  )

  const spans = exporter.getFinishedSpans()
  const server = spans.findLast(({ kind }) => kind === SpanKind.SERVER)
  const producer = spans.find(({ kind }) => kind === SpanKind.PRODUCER)
  expect(server).toMatchObject({
    name: 'POST /api/v1/tasks',
    parentSpanContext: { traceId, spanId: 'b7ad6b7169203331' },
    attributes: { 'http.route': '/api/v1/tasks', 'http.response.status_code': 201 },
  })
  expect(producer?.parentSpanContext?.spanId).toBe(server?.spanContext().spanId)
  expect(headers.get('traceparent')).toBe(`00-${traceId}-${server?.spanContext().spanId}-01`)
  expect(await engine.task(body.id)).toMatchObject({
    meta: { traceparent: `00-${traceId}-${producer?.spanContext().spanId}-01` },
  })
})

test('a refusal is not an error of the server', async ({ ask }) => {
  await ask.get('/tasks/42')

  const server = exporter.getFinishedSpans().findLast(({ kind }) => kind === SpanKind.SERVER)
  expect(server).toMatchObject({
    name: 'GET /api/v1/tasks/{id}',
    attributes: { 'http.response.status_code': 404 },
    status: { code: 0 },
  })
})
