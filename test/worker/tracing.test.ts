import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest'
import { expectNoCanary, leakyError } from '../support/canaries.ts'
import { until } from '../support/until.ts'
import { test } from '../support/worker.ts'

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'

beforeAll(() => {
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
})
beforeEach(() => exporter.reset())
afterAll(() => {
  trace.disable()
  context.disable()
})

describe('a traced run', () => {
  test('is a consumer span, linked to the one that enqueued the task', async ({
    engine,
    work,
    allDone,
  }) => {
    const meta = { traceparent: `00-${traceId}-${spanId}-01` }
    const { id } = await engine.enqueue({ queue: 'mail', meta })
    let within: string | undefined
    await work({
      tasks: {
        mail: async () => {
          within = trace.getActiveSpan()?.spanContext().spanId
        },
      },
    })
    await allDone()

    const [span] = exporter.getFinishedSpans()
    expect(span).toMatchObject({
      name: 'process mail',
      kind: SpanKind.CONSUMER,
      links: [{ context: { traceId, spanId } }],
      attributes: { 'messaging.message.id': id, 'messaging.operation.type': 'process' },
    })
    expect(span?.spanContext().spanId).toBe(within)
  })

  test('shows that the handler failed', async ({ engine, work }) => {
    await engine.enqueue({ queue: 'mail' })
    await work({ tasks: { mail: () => Promise.reject(new TypeError('no')) } })
    await until(async () => exporter.getFinishedSpans().length > 0)

    expect(exporter.getFinishedSpans()[0]).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { 'error.type': 'TypeError' },
      links: [],
    })
  })

  test('shows no password that the error of a handler repeats', async ({ engine, work }) => {
    await engine.enqueue({ queue: 'mail' })
    await work({ tasks: { mail: () => Promise.reject(leakyError()) } })
    await until(async () => exporter.getFinishedSpans().length > 0)

    const spans = exporter.getFinishedSpans().map(({ name, status, attributes, events }) => {
      return { name, status, attributes, events }
    })
    expect(spans[0]?.status.message).toContain('postgres://app:***@')
    expectNoCanary(JSON.stringify(spans))
  })
})
