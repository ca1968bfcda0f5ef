import { z } from '@hono/zod-openapi'
import { requireTask } from '../answers/unknown-task.ts'
import type { HttpContext } from '../http-context.ts'
import { fromCursor, nextLink, toCursor } from '../requests/cursor.ts'
import type { Api } from '../routing/route.ts'
import { byId, listOf, page } from '../schemas/common.ts'
import { attempt, log, runningSql, taskTexts } from '../schemas/task-details.ts'

/** Looking at what is known of one task besides itself. */
export function register(api: Api, context: HttpContext): void {
  showAttempts(api, context)
  showLogs(api, context)
  showRunning(api, context)
  showTexts(api, context)
}

function showAttempts(api: Api, { verbs, reads, basePath }: HttpContext): void {
  api.route(
    {
      method: 'get',
      path: '/tasks/{id}/attempts',
      scope: 'read',
      tag: 'Tasks',
      operationId: 'listAttempts',
      summary: 'List the attempts of a task that did not succeed, with their errors',
      description: 'A page may be short and have a next_cursor, if it has 8 MB of JSON.',
      params: byId,
      query: z.strictObject({
        ...page,
        order: z
          .enum(['oldest', 'newest'])
          .default('oldest')
          .openapi({ description: 'The order, the same for all pages.' }),
      }),
      responses: { 200: { description: 'A page of attempts', body: listOf(attempt) } },
    },
    async ({ params: { id }, query: { cursor, ...which }, url }) => {
      const after = fromCursor(cursor)
      const { attempts, next } = await verbs.pageAttempts(reads, id, { ...which, after })
      if (attempts.length === 0) await requireTask(verbs.task(reads, id), id)
      const next_cursor = toCursor(next)
      const headers = nextLink(url, basePath, next_cursor)
      return { status: 200, headers, body: { items: attempts, next_cursor } }
    },
  )
}

function showLogs(api: Api, { verbs, reads }: HttpContext): void {
  api.route(
    {
      method: 'get',
      path: '/tasks/{id}/logs',
      scope: 'read',
      tag: 'Tasks',
      operationId: 'listLogLines',
      summary: 'List the log lines that a task wrote while it ran',
      params: byId,
      query: z.strictObject({
        after: z.coerce.number().int().min(0).default(0).openapi({
          description: 'Only lines after this place: the next_after of the previous answer.',
        }),
      }),
      responses: {
        200: {
          description: 'The oldest first',
          body: log,
        },
      },
    },
    async ({ params: { id }, query: { after } }) => {
      const lines = await verbs.logs(reads, id, String(after))
      if (lines.length === 0) await requireTask(verbs.task(reads, id), id)
      const items = lines.map(({ id: _, ...line }) => line)
      return { status: 200, body: { items, next_after: Number(lines.at(-1)?.id ?? after) } }
    },
  )
}

function showRunning(api: Api, { verbs, reads }: HttpContext): void {
  api.route(
    {
      method: 'get',
      path: '/tasks/{id}/running',
      scope: 'read',
      tag: 'Tasks',
      operationId: 'getRunningSql',
      summary: 'Show what the backend of a running SQL task does, and which sessions block it',
      params: byId,
      responses: {
        200: { description: 'The running statement', body: runningSql },
        204: { description: 'The task is not a SQL task that runs now' },
      },
    },
    async ({ params: { id } }) => {
      const running = await verbs.runningSql(reads, id)
      if (running !== null) return { status: 200, body: running }
      await requireTask(verbs.task(reads, id), id)
      return { status: 204 }
    },
  )
}

function showTexts(api: Api, { verbs, reads }: HttpContext): void {
  api.route(
    {
      method: 'get',
      path: '/tasks/{id}/texts',
      scope: 'read',
      tag: 'Tasks',
      operationId: 'getTaskTexts',
      summary: 'Get the payload and output of a task as text, with every digit of their numbers',
      params: byId,
      responses: { 200: { description: 'JSON text as the database writes it', body: taskTexts } },
    },
    async ({ params: { id } }) => ({
      status: 200,
      body: await requireTask(verbs.taskTexts(reads, id), id),
    }),
  )
}
