import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest'
import { test } from '../support/client.ts'

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })

beforeAll(() => {
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
})
beforeEach(() => exporter.reset())
afterAll(() => {
  trace.disable()
  context.disable()
})

/** The one span that was recorded. */
function span() {
  const [first, ...others] = exporter.getFinishedSpans()
  if (first === undefined || others.length > 0) throw new Error('not one span')
  return first
}

describe('a traced enqueue', () => {
  test('is a producer span that the task carries on', async ({ tusk }) => {
    const { id } = await tusk.enqueueTask({ queue: 'mail', meta: { from: 'test' } })

    const { traceId, spanId } = span().spanContext()
    expect(span()).toMatchObject({
      name: 'send mail',
      kind: SpanKind.PRODUCER,
      attributes: {
        'messaging.system': 'tusk',
        'messaging.operation.name': 'send',
        'messaging.operation.type': 'send',
        'messaging.destination.name': 'mail',
        'messaging.message.id': id,
      },
    })
    expect((await tusk.tasks.get(id))?.meta).toEqual({
      from: 'test',
      traceparent: `00-${traceId}-${spanId}-01`,
    })
  })

  test('belongs to the trace it is called in', async ({ tusk }) => {
    const parent = trace.getTracer('test').startSpan('request')

    await context.with(trace.setSpan(context.active(), parent), () =>
      tusk.enqueueTask({ queue: 'mail' }),
    )

    expect(span().parentSpanContext?.spanId).toBe(parent.spanContext().spanId)
  })

  test('of many is one span, and each task carries it', async ({ tusk, engine }) => {
    await tusk.enqueueTasks([{ queue: 'mail' }, { queue: 'mail' }])

    const metas = await engine.rows('select distinct meta from task')
    expect(span().attributes).toMatchObject({ 'messaging.batch.message_count': 2 })
    expect(metas).toMatchObject([{ meta: { traceparent: expect.any(String) } }])
  })

  test('that is refused says so', async ({ tusk }) => {
    await expect(tusk.enqueueTask({ queue: 'mail', maxAttempts: 0 })).rejects.toThrow()

    expect(span()).toMatchObject({
      attributes: { 'error.type': 'invalid_argument' },
      status: { code: SpanStatusCode.ERROR },
    })
  })
})

describe('without a tracer', () => {
  test('tasks carry nothing', async ({ open }) => {
    trace.disable()
    const tusk = await open()

    const { id } = await tusk.enqueueTask({ queue: 'mail' })

    expect((await tusk.tasks.get(id))?.meta).toBeNull()
  })
})
