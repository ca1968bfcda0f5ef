import { z } from '@hono/zod-openapi'
import type { Task } from '../../engine/task.ts'
import { TuskError } from '../../lib/errors.ts'
import { wholeList } from '../answers/page-of.ts'
import { etagOfTask, toWire } from '../answers/task-on-the-wire.ts'
import { requireTask } from '../answers/unknown-task.ts'
import type { HttpContext } from '../http-context.ts'
import { fromCursor, nextLink, toCursor } from '../requests/cursor.ts'
import { preferredWait, waited } from '../requests/prefer.ts'
import { toFilter } from '../requests/to-filter.ts'
import type { AnyCall, Api } from '../routing/route.ts'
import { byId, listOf, page } from '../schemas/common.ts'
import { filter, filterShape } from '../schemas/filter.ts'
import { task } from '../schemas/task.ts'
import { stateCount, taskCount } from '../schemas/task-details.ts'
import { seeTask } from '../waiting/wait-for-task.ts'

const states = z.enum(['task-server', 'paper']).optional().openapi({
  description:
    'Adds paper_state, the state in the words of the dialect task-server: New, Ready, Delayed, Watching, Reserved, Aborted, Success or Buried.',
})

/** Looking at tasks. */
export function register(api: Api, context: HttpContext): void {
  listTasks(api, context)
  showTask(api, context)
}

function listTasks(api: Api, { verbs, reads, basePath }: HttpContext): void {
  api.route(
    {
      method: 'get',
      path: '/tasks',
      scope: 'read',
      tag: 'Tasks',
      operationId: 'listTasks',
      summary: 'List the tasks that match a filter, the newest first',
      description:
        'A page may be short, even empty, and still have a next_cursor: the search ran out of time, or the page has 8 MB of JSON.',
      query: z.strictObject({ ...filterShape, ...page, states }),
      responses: { 200: { description: 'A page of tasks', body: listOf(task) } },
    },
    async ({ query: { cursor, limit, states: words, ...given }, url }) => {
      const before = fromCursor(cursor)
      const { tasks, next } = await verbs.pageTasks(reads, toFilter(given), { before, limit })
      const next_cursor = toCursor(next)
      return {
        status: 200,
        headers: nextLink(url, basePath, next_cursor),
        body: { items: tasks.map((one) => toWire(one, words)), next_cursor },
      }
    },
  )

  api.route(
    {
      method: 'get',
      path: '/tasks/count',
      scope: 'read',
      tag: 'Tasks',
      operationId: 'countTasks',
      summary:
        'Count the tasks that match a filter. If `exact` is false, there are at least so many.',
      query: filter,
      responses: { 200: { description: 'The count, up to 10,000', body: taskCount } },
    },
    async ({ query }) => ({ status: 200, body: await verbs.countTasks(reads, toFilter(query)) }),
  )

  api.route(
    {
      method: 'get',
      path: '/tasks/counts',
      scope: 'read',
      tag: 'Tasks',
      operationId: 'countTasksByState',
      summary: 'Count the tasks that match a filter, by state',
      description:
        'Takes at most a fifth of a second. If `exact` is false, there are at least so many. Without a filter, or with `queue` alone, ended tasks beyond the last thousand are estimated from counters.',
      query: filter,
      responses: { 200: { description: 'A count for each state', body: listOf(stateCount) } },
    },
    async ({ query }) => wholeList(await verbs.countStates(reads, toFilter(query))),
  )
}

function showTask(api: Api, _: HttpContext): void {
  api.route(
    {
      method: 'get',
      path: '/tasks/{id}',
      scope: 'read',
      tag: 'Tasks',
      operationId: 'getTask',
      summary: 'Get a task. `Prefer: wait=10` waits until it has ended.',
      params: byId,
      query: z.strictObject({ states }),
      responses: { 200: { description: 'The task', body: task } },
    },
    async (call) => {
      const { id } = call.params
      const seconds = preferredWait(call.request)
      const found = await requireTask(seeTask(call, id, seconds), id)
      if (seconds !== undefined) await call.readmit()
      return {
        status: 200,
        headers: { etag: etagOfTask(found), ...(seconds === undefined ? {} : waited(seconds)) },
        body: { ...toWire(found, call.query.states), ...(await waitingOf(call, found)) },
      }
    },
  )
}

/** Why it waits, if it does; it may have started or ended since it was read. */
async function waitingOf({ context: { verbs, reads } }: AnyCall, { id, claim, finished_at }: Task) {
  if (claim !== null || finished_at !== null) return {}
  const waiting = await verbs.explain(reads, id).catch((error: unknown) => {
    if (error instanceof TuskError && error.code === 'task_not_found') return []
    throw error
  })
  return { waiting }
}
