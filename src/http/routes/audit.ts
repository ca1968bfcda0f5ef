import { z } from '@hono/zod-openapi'
import { onTheWire } from '../answers/on-the-wire.ts'
import { pageOf, toRead } from '../answers/page-of.ts'
import type { HttpContext } from '../http-context.ts'
import { fromCursor } from '../requests/cursor.ts'
import type { Api } from '../routing/route.ts'
import { auditEntry } from '../schemas/access.ts'
import { listOf, page } from '../schemas/common.ts'

/** What people did. */
export function register(api: Api, { verbs, reads }: HttpContext): void {
  api.route(
    {
      method: 'get',
      path: '/audit',
      scope: 'admin',
      tag: 'Access',
      operationId: 'listAudit',
      summary: 'List what people did, who did it, and what it changed',
      query: z.strictObject({
        ...page,
        actor: z.string().optional(),
        action: z.string().optional(),
        object: z.string().optional(),
      }),
      responses: { 200: { description: 'The newest first', body: listOf(auditEntry) } },
    },
    async (call) => {
      const { cursor, limit, ...which } = call.query
      const before = fromCursor(cursor)
      const read = await verbs.auditEntries(reads, { ...which, before, limit: toRead(limit) })
      return pageOf(call, read, limit, {
        placeOf: ({ id }) => id,
        show: (row) => onTheWire(auditEntry, row),
      })
    },
  )
}
