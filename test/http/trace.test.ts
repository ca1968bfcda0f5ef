import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, beforeEach, describe, expect, inject } from 'vitest'
import { Tusk } from '../../src/client/tusk.ts'
import { createHttp, type Http } from '../../src/http/app.ts'
import { adminToken } from '../support/http.ts'
import { test as base } from '../support/sql-tasks.ts'
import { until } from '../support/until.ts'

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
const traceId = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${traceId}-b7ad6b7169203331-01`

beforeAll(() => {
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
})
beforeEach(() => exporter.reset())
afterAll(() => {
  trace.disable()
  context.disable()
})

const test = base.extend<{ http: Http }>({
  http: async ({ db: _, schema }, use) => {
    const tusk = await Tusk.open({ database: inject('pgUrl'), schema })
    const http = await createHttp({ tusk, token: adminToken, logger: false, sql: true })
    await use(http)
    await http.close()
    await tusk.close()
  },
})

async function enqueue(http: Http, task: object): Promise<string> {
  const response = await http.fetch(
    new Request('http://tusk.test/api/v1/tasks', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${adminToken}`,
        'content-type': 'application/json',
        traceparent,
      },
      body: JSON.stringify(task),
    }),
  )
  expect(response.status).toBe(201)
  return ((await response.json()) as { id: string }).id
}

/** From the last to the first: each is below the next. */
function lineOf(last: ReadableSpan | undefined): string[] {
  const spans = exporter.getFinishedSpans()
  const line: string[] = []
  for (let span = last; span !== undefined; ) {
    line.push(`${SpanKind[span.kind]} ${span.name}`)
    const above: string | undefined = span.parentSpanContext?.spanId
    span = spans.find((one) => one.spanContext().spanId === above)
  }
  return line
}

describe('a request that sets SQL off', () => {
  test('is one trace: request, task, SQL', async ({ http, workSql, endOf }) => {
    await workSql()
    const id = await enqueue(http, { queue: 'sql', kind: 'sql', payload: { sql: 'select 1' } })
    await endOf(id)
    const find = () => exporter.getFinishedSpans().find(({ kind }) => kind === SpanKind.CLIENT)
    await until(async () => exporter.getFinishedSpans().some(({ name }) => name === 'process sql'))

    const sql = find()
    expect(lineOf(sql)).toEqual([
      'CLIENT SELECT',
      'CONSUMER process sql',
      'PRODUCER send sql',
      'SERVER POST /api/v1/tasks',
    ])
    expect(new Set(exporter.getFinishedSpans().map((span) => span.spanContext().traceId))).toEqual(
      new Set([traceId]),
    )
    expect(sql?.attributes).toMatchObject({
      'db.system.name': 'postgresql',
      'db.operation.name': 'SELECT',
      'db.namespace': expect.any(String),
    })
    expect(sql?.attributes).not.toHaveProperty('db.query.text')
  })

  test('shows the text of a registered statement, and no other', async ({
    http,
    workSql,
    endOf,
    db,
  }) => {
    await db.query(`select set_statement('touch', '{"sql": "select 42"}')`)
    await workSql()
    await endOf(await enqueue(http, { queue: 'sql', kind: 'sql', payload: { statement: 'touch' } }))
    await until(async () => exporter.getFinishedSpans().some(({ name }) => name === 'touch'))

    const span = exporter.getFinishedSpans().find(({ name }) => name === 'touch')
    expect(span?.attributes).toMatchObject({
      'db.query.text': 'select 42',
      'db.query.summary': 'touch',
    })
  })

  test('shows that it failed, by its code and without its words', async ({
    http,
    workSql,
    endOf,
  }) => {
    await workSql()
    await endOf(
      await enqueue(http, {
        queue: 'sql',
        kind: 'sql',
        max_attempts: 1,
        payload: { sql: 'select secret from nowhere' },
      }),
    )
    await until(async () =>
      exporter.getFinishedSpans().some(({ kind }) => kind === SpanKind.CLIENT),
    )

    const span = exporter.getFinishedSpans().find(({ kind }) => kind === SpanKind.CLIENT)
    expect(span).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { 'error.type': '42P01', 'db.response.status_code': '42P01' },
    })
    expect(JSON.stringify([span?.attributes, span?.status])).not.toContain('secret')
  })
})
