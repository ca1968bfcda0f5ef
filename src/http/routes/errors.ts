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
      summary: 'Failures that say the same, as groups',
      description:
        'Find the tasks of one with `GET /tasks?error=<fingerprint>`. At most half a minute behind.',
      query: z.strictObject({
        queue: z.string().optional(),
        since: givenTime.optional().openapi({ description: 'Those that occurred since then.' }),
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
