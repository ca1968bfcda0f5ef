import { z } from '@hono/zod-openapi'
import { onTheWire } from '../answers/on-the-wire.ts'
import { wholeList } from '../answers/page-of.ts'
import type { HttpContext } from '../http-context.ts'
import type { Api } from '../routing/route.ts'
import { id, json, listOf, time } from '../schemas/common.ts'

const keyEvent = z
  .object({
    at: time,
    queue: z.string(),
    task: id,
    event: z
      .string()
      .openapi({ description: 'enqueued, log, a reason, or the state of the task.' }),
    details: json,
  })
  .openapi('KeyEvent')

/** What happened under a key. */
export function register(api: Api, { verbs, reads }: HttpContext): void {
  api.route(
    {
      method: 'get',
      path: '/keys/{key}',
      scope: 'read',
      tag: 'Tasks',
      operationId: 'traceKey',
      summary: 'List what happened to the tasks of one key, in all queues, the oldest first',
      params: z.object({ key: z.string().min(1) }),
      responses: { 200: { description: 'The oldest first', body: listOf(keyEvent) } },
    },
    async ({ params: { key } }) => {
      const events = await verbs.traceKey(reads, key)
      return wholeList(events.map((row) => onTheWire(keyEvent, row)))
    },
  )
}
