import { z } from '@hono/zod-openapi'
import { onTheWire } from '../answers/on-the-wire.ts'
import { wholeList } from '../answers/page-of.ts'
import type { HttpContext } from '../http-context.ts'
import type { Api } from '../routing/route.ts'
import { givenTime, listOf, page } from '../schemas/common.ts'
import { errorGroup } from '../schemas/stats.ts'

/** What goes wrong, and how often. */
export function register(api: Api, { verbs, reads }: HttpContext): void {
  api.route(
    {
      method: 'get',
      path: '/errors',
      scope: 'read',
      tag: 'Statistics',
      operationId: 'listErrors',
      summary: 'List failures, grouped by error message',
      description:
        '`GET /tasks?error=<fingerprint>` lists the tasks of a group. At most 30 seconds behind.',
      query: z.strictObject({
        queue: z.string().optional(),
        since: givenTime.optional().openapi({ description: 'Only failures since then.' }),
        limit: page.limit,
      }),
      responses: { 200: { description: 'The latest first', body: listOf(errorGroup) } },
    },
    async ({ query: { queue, since, limit } }) => {
      const from = since === undefined ? undefined : new Date(since)
      const groups = await verbs.errorGroups(reads, { queue, since: from, limit })
      return wholeList(groups.map((row) => onTheWire(errorGroup, row)))
    },
  )
}
