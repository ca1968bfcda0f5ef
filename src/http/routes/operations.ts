import { z } from '@hono/zod-openapi'
import { filterInSql } from '../../engine/looking.ts'
import type { Json } from '../../engine/task.ts'
import { onTheWire } from '../answers/on-the-wire.ts'
import { pageOf, toRead } from '../answers/page-of.ts'
import { Problem } from '../answers/problem.ts'
import type { HttpContext } from '../http-context.ts'
import { fromCursor } from '../requests/cursor.ts'
import { apiRoot } from '../requests/path-of.ts'
import { toFilter } from '../requests/to-filter.ts'
import type { Api } from '../routing/route.ts'
import { byId, listOf, page } from '../schemas/common.ts'
import { newOperation, operation } from '../schemas/operation.ts'
import { taskCount } from '../schemas/task-details.ts'
import { OperationDriver } from '../waiting/drive-operation.ts'

const tag = 'Operations'

/** Doing something to all tasks that match a filter. */
export function register(api: Api, context: HttpContext): void {
  look(api, context)
  start(api, context)
  stop(api, context)
}

function look(api: Api, { verbs, reads }: HttpContext): void {
  api.route(
    {
      method: 'get',
      path: '/operations',
      scope: 'read',
      tag,
      operationId: 'listOperations',
      summary: 'List operations on many tasks, with their progress',
      query: z.strictObject(page),
      responses: { 200: { description: 'The newest first', body: listOf(operation) } },
    },
    async (call) => {
      const { cursor, limit } = call.query
      const read = await verbs.operations(reads, {
        before: fromCursor(cursor),
        limit: toRead(limit),
      })
      return pageOf(call, read, limit, {
        placeOf: ({ id }) => id,
        show: (row) => onTheWire(operation, row),
      })
    },
  )

  api.route(
    {
      method: 'get',
      path: '/operations/{id}',
      scope: 'read',
      tag,
      operationId: 'getOperation',
      summary: 'Get an operation with its progress',
      params: byId,
      responses: { 200: { description: 'The operation', body: operation } },
    },
    async ({ params: { id } }) => {
      const found = await verbs.operation(reads, id)
      if (found === null) throw noOperation(id)
      return { status: 200, body: onTheWire(operation, found) }
    },
  )
}

function start(api: Api, context: HttpContext): void {
  const { verbs, reads, basePath } = context
  const driver = new OperationDriver(context)
  api.route(
    {
      method: 'post',
      path: '/operations',
      scope: 'operate',
      tag,
      operationId: 'startOperation',
      summary: 'Cancel, kill, retry, delete, move or amend all tasks that match a filter',
      description:
        'It runs in the background, page by page, and goes on if this server stops. Without states in the filter it takes the tasks that the action can change. With `dry_run` it only counts them.',
      body: newOperation,
      responses: {
        200: { description: 'How many tasks match', body: taskCount },
        202: { description: 'Operation started', body: operation },
      },
      // After the commit: what is not there yet cannot be advanced.
      afterwards: async (_, answer) => {
        if (answer.status === 202) driver.drive((answer.body as { id: string }).id)
        return answer
      },
    },
    async (call) => {
      const { action, run_at, changes, dry_run } = call.body
      const filter = filterInSql(toFilter(call.body.filter))
      const given = {
        ...(run_at === undefined ? {} : { run_at }),
        ...(changes === undefined ? {} : { changes: changes as Json }),
      }
      if (dry_run === true) {
        const { count, exact } = await verbs.countOperation(reads, action, filter, given)
        return { status: 200, body: { count, exact } }
      }
      const begun = await call.audited(async (db) => {
        const id = await verbs.startOperation(db, action, filter, given)
        return verbs.operation(db, id)
      })
      if (begun === null) throw new Error('an operation is gone at once')
      const headers = { location: `${basePath}${apiRoot}/operations/${begun.id}` }
      return { status: 202, headers, body: onTheWire(operation, begun) }
    },
  )
}

function stop(api: Api, { verbs }: HttpContext): void {
  api.route(
    {
      method: 'post',
      path: '/operations/{id}/cancel',
      scope: 'operate',
      tag,
      operationId: 'cancelOperation',
      summary: 'Cancel an operation. What it has already done stays done.',
      params: byId,
      responses: { 200: { description: 'The operation', body: operation } },
    },
    async (call) => {
      const { id } = call.params
      const after = await call.audited(async (db) => {
        await verbs.cancelOperation(db, id)
        return verbs.operation(db, id)
      })
      if (after === null) throw noOperation(id)
      return { status: 200, body: onTheWire(operation, after) }
    },
  )
}

function noOperation(id: string): Problem {
  return new Problem(404, 'operation_not_found', `there is no operation ${id}`, {
    hint: 'Operations are kept for 7 days after their end. GET /operations lists them.',
  })
}
