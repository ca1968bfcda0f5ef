import { z } from '@hono/zod-openapi'
import { notThere } from '../answers/not-there.ts'
import { onTheWire } from '../answers/on-the-wire.ts'
import { wholeList } from '../answers/page-of.ts'
import type { HttpContext } from '../http-context.ts'
import type { Api } from '../routing/route.ts'
import { byName, listOf } from '../schemas/common.ts'
import { chore, leader } from '../schemas/worker.ts'

const tag = 'Chores'

/** Chores: how they run, and which worker leads them. */
export function register(api: Api, { verbs, reads }: HttpContext): void {
  api.route(
    {
      method: 'get',
      path: '/chores',
      scope: 'read',
      tag,
      operationId: 'listChores',
      summary: 'List chores, how they run, and what is wrong with them',
      responses: { 200: { description: 'By name', body: listOf(chore) } },
    },
    async () => {
      const chores = await verbs.choreStats(reads)
      return wholeList(chores.map((row) => onTheWire(chore, row)))
    },
  )

  api.route(
    {
      method: 'get',
      path: '/leaders',
      scope: 'read',
      tag,
      operationId: 'listLeaders',
      summary: 'List which worker leads which chore',
      responses: { 200: { description: 'By chore', body: listOf(leader) } },
    },
    async () => {
      const leaders = await verbs.leaders(reads)
      return wholeList(leaders.map((row) => onTheWire(leader, row)))
    },
  )

  api.route(
    {
      method: 'post',
      path: '/chores/{name}/resign',
      scope: 'operate',
      tag,
      operationId: 'resignChore',
      summary: 'Ask the leader of a chore to hand it to another worker',
      params: byName,
      responses: {
        200: {
          description: 'The worker that was asked; null if no worker leads the chore',
          body: z.object({ worker: z.string().nullable() }),
        },
      },
    },
    async (call) => {
      const { name } = call.params
      const chores = await verbs.choreStats(reads)
      if (!chores.some((row) => row.chore === name)) throw notThere('chore', name)
      const asked = await call.audited((db) => verbs.resign(db, name))
      return { status: 200, body: { worker: asked } }
    },
  )
}
