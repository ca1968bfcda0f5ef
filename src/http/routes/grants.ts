import { z } from '@hono/zod-openapi'
import { onTheWire } from '../answers/on-the-wire.ts'
import { wholeList } from '../answers/page-of.ts'
import type { HttpContext } from '../http-context.ts'
import type { Api } from '../routing/route.ts'
import { listOf } from '../schemas/common.ts'
import { grant, newGrant, openedQueue, revocation } from '../schemas/grant.ts'

const tag = 'Access'

/** Which roles of the database may use which queues. */
export function register(api: Api, context: HttpContext): void {
  look(api, context)
  give(api, context)
  take(api, context)
}

function look(api: Api, { verbs, reads }: HttpContext): void {
  api.route(
    {
      method: 'get',
      path: '/grants',
      scope: 'admin',
      tag,
      operationId: 'listGrants',
      summary: 'List all grants on queues',
      responses: { 200: { description: 'By queue and role', body: listOf(grant) } },
    },
    async () => wholeList((await verbs.queueGrants(reads)).map((row) => onTheWire(grant, row))),
  )
}

function give(api: Api, { verbs }: HttpContext): void {
  api.route(
    {
      method: 'post',
      path: '/grants',
      scope: 'admin',
      tag,
      operationId: 'grantQueue',
      summary: 'Grant a role rights on a queue. The first grant closes the queue to other roles.',
      body: newGrant,
      responses: { 204: { description: 'Rights granted' } },
    },
    async (call) => {
      const { queue, role, rights } = call.body
      await call.audited((on) => verbs.grantQueue(on, queue, role, rights))
      return { status: 204 }
    },
  )
}

function take(api: Api, { verbs }: HttpContext): void {
  api.route(
    {
      method: 'post',
      path: '/grants/revoke',
      scope: 'admin',
      tag,
      operationId: 'revokeQueue',
      summary: 'Revoke rights of a role on a queue. The queue stays closed.',
      body: revocation,
      responses: {
        200: {
          description: 'Whether the role had any of these rights',
          body: z.object({ revoked: z.boolean() }),
        },
      },
    },
    async (call) => {
      const { queue, role, rights = null } = call.body
      const revoked = await call.audited((on) => verbs.revokeQueue(on, queue, role, rights))
      return { status: 200, body: { revoked } }
    },
  )

  api.route(
    {
      method: 'post',
      path: '/grants/open',
      scope: 'admin',
      tag,
      operationId: 'openQueue',
      summary: 'Remove all grants on a queue, so that every role may use it again',
      body: openedQueue,
      responses: {
        200: {
          description: 'How many roles had grants',
          body: z.object({ roles: z.int() }),
        },
      },
    },
    async (call) => {
      const roles = await call.audited((on) => verbs.openQueue(on, call.body.queue))
      return { status: 200, body: { roles } }
    },
  )
}
