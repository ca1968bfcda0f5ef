import { z } from '@hono/zod-openapi'
import { onTheWire } from '../answers/on-the-wire.ts'
import { wholeList } from '../answers/page-of.ts'
import { requireTask } from '../answers/unknown-task.ts'
import { openChunkStream } from '../events/chunk-stream.ts'
import { readChunkPlace } from '../events/place.ts'
import { requireScope } from '../gate/caller.ts'
import type { HttpContext } from '../http-context.ts'
import type { Api } from '../routing/route.ts'
import { byId, listOf } from '../schemas/common.ts'
import * as schemas from '../schemas/durable.ts'

const tag = 'Durable tasks'
const nearest = z.strictObject({ limit: z.coerce.number().int().min(1).max(1000).default(500) })
const sent = { 201: { description: 'Signal stored', body: schemas.sentSignal } } as const

/** Steps, families, signals and streams of tasks. */
export function register(api: Api, context: HttpContext): void {
  looks(api, context)
  signals(api, context)
  streams(api, context)
}

function looks(api: Api, { verbs, reads }: HttpContext): void {
  const common = { method: 'get', scope: 'read', tag, params: byId } as const
  api.route(
    {
      ...common,
      path: '/tasks/{id}/steps',
      operationId: 'listSteps',
      summary: 'List the stored steps of a task, in their order',
      responses: { 200: { description: 'All steps', body: listOf(schemas.step) } },
    },
    async ({ params: { id } }) => {
      const steps = await verbs.steps(reads, id)
      if (steps.length === 0) await requireTask(verbs.task(reads, id), id)
      return wholeList(steps.map((row) => onTheWire(schemas.step, row)))
    },
  )
  api.route(
    {
      ...common,
      path: '/tasks/{id}/family',
      operationId: 'listFamily',
      summary: 'List a task, its children and their children, the nearest first',
      query: nearest,
      responses: { 200: { description: 'The family', body: schemas.family } },
    },
    async ({ params: { id }, query: { limit } }) => {
      const members = await verbs.family(reads, id, limit + 1)
      const items = members.slice(0, limit).map((row) => onTheWire(schemas.familyMember, row))
      return { status: 200, body: { items, is_complete: members.length <= limit } }
    },
  )
  api.route(
    {
      ...common,
      path: '/tasks/{id}/dependencies',
      operationId: 'listDependencies',
      summary: 'List a task, those that it comes after, those that come after it, and theirs',
      description:
        'The nearest first. A dependency is listed until the task that it waits for has ended.',
      query: nearest,
      responses: { 200: { description: 'The linked tasks', body: schemas.dependencies } },
    },
    async ({ params: { id }, query: { limit } }) => {
      const linked = await verbs.dependencies(reads, id, limit + 1)
      const items = linked.slice(0, limit).map((row) => onTheWire(schemas.dependency, row))
      return { status: 200, body: { items, is_complete: linked.length <= limit } }
    },
  )
  api.route(
    {
      ...common,
      path: '/tasks/{id}/signals',
      operationId: 'listSignals',
      summary: 'List the signals that a task has not received yet',
      responses: { 200: { description: 'The oldest first', body: listOf(schemas.pendingSignal) } },
    },
    async ({ params: { id } }) => {
      const pending = await verbs.pendingSignals(reads, id)
      if (pending.length === 0) await requireTask(verbs.task(reads, id), id)
      return wholeList(pending.map((row) => onTheWire(schemas.pendingSignal, row)))
    },
  )
}

function signals(api: Api, { verbs, reads }: HttpContext): void {
  api.route(
    {
      method: 'post',
      path: '/tasks/{id}/signals',
      scope: 'enqueue',
      tag,
      operationId: 'signalTask',
      summary: 'Send a signal to a task',
      description:
        'The signal is kept until the task receives it. The answer is 409 if the task has ended.',
      params: byId,
      body: schemas.newSignal,
      responses: sent,
    },
    async (call) => {
      const { id } = call.params
      const { name, payload = null } = call.body
      const { queue } = await requireTask(verbs.task(call.on ?? reads, id), id)
      requireScope(call.caller, 'enqueue', queue)
      const signal = await call.audited((db) => verbs.signal(db, id, name, JSON.stringify(payload)))
      return { status: 201, body: { id: signal } }
    },
  )
  api.route(
    {
      method: 'post',
      path: '/signals',
      scope: 'enqueue',
      tag,
      operationId: 'signalKey',
      summary: 'Send a signal to the task that has a key now or gets it later',
      description: 'If no task has the key, the next one that takes it receives the signal.',
      body: schemas.newKeySignal,
      responses: sent,
    },
    async (call) => {
      const { queue, key, name, payload = null, keep = '7 days' } = call.body
      requireScope(call.caller, 'enqueue', queue)
      const signal = await call.audited((db) =>
        verbs.signalKey(db, { queue, key }, name, JSON.stringify(payload), keep),
      )
      return { status: 201, body: { id: signal } }
    },
  )
}

function streams(api: Api, context: HttpContext): void {
  api.route(
    {
      method: 'get',
      path: '/tasks/{id}/stream',
      scope: 'read',
      tag,
      operationId: 'followStream',
      summary: 'Follow the stream of a task, as server-sent events',
      description:
        'Each message `chunk` has its place as id: go on behind it with Last-Event-ID or `after`. `end` says that the task has ended and all was sent; `closing` that the server ends the stream.',
      params: byId,
      query: z.strictObject({
        after: z.string().optional().openapi({ description: 'The place of the last chunk seen.' }),
      }),
      isStream: true,
      responses: {
        200: { description: 'Until the task has ended', contentType: 'text/event-stream' },
      },
    },
    async (call) => {
      const { id } = call.params
      const after = readChunkPlace(call.request, call.query.after)
      await requireTask(context.verbs.task(context.reads, id), id)
      const response = openChunkStream(context, id, after, {
        isHead: call.request.method === 'HEAD',
        expiresAt: call.caller.expiresAt,
        signal: call.signal,
        readmit: () => call.readmit(),
        hangUp: () => call.hangUp(),
      })
      return { status: 200, response }
    },
  )
}
