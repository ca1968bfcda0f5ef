import type { Json } from '../../engine/task.ts'
import { notThere } from '../answers/not-there.ts'
import { onTheWire } from '../answers/on-the-wire.ts'
import { wholeList } from '../answers/page-of.ts'
import type { HttpContext } from '../http-context.ts'
import type { Api } from '../routing/route.ts'
import { byName, listOf } from '../schemas/common.ts'
import { newPush, push } from '../schemas/push.ts'

const tag = 'Queues'
const path = '/queues/{name}/push'

/** Queues whose tasks are delivered to an endpoint. */
export function register(api: Api, context: HttpContext): void {
  look(api, context)
  change(api, context)
}

function look(api: Api, { verbs, reads }: HttpContext): void {
  api.route(
    {
      method: 'get',
      path: '/push',
      scope: 'read',
      tag,
      operationId: 'listEndpoints',
      summary:
        'List the queues whose tasks are delivered to an endpoint, and where workers find the secrets',
      responses: { 200: { description: 'By queue', body: listOf(push) } },
    },
    async () => wholeList((await verbs.pushes(reads)).map((row) => onTheWire(push, row))),
  )

  api.route(
    {
      method: 'get',
      path,
      scope: 'read',
      tag,
      operationId: 'getEndpoint',
      summary: 'Get the endpoint of a queue',
      params: byName,
      responses: { 200: { description: 'The endpoint', body: push } },
    },
    async ({ params: { name } }) => {
      const [found] = await verbs.pushes(reads, name)
      if (found === undefined) {
        throw notThere('endpoint of queue', name, 'Set one: PUT /queues/{name}/push.')
      }
      return { status: 200, body: onTheWire(push, found) }
    },
  )
}

function change(api: Api, { verbs }: HttpContext): void {
  api.route(
    {
      method: 'put',
      path,
      scope: 'admin',
      tag,
      operationId: 'setEndpoint',
      summary: 'Deliver the tasks of a queue to an endpoint',
      params: byName,
      body: newPush,
      responses: { 204: { description: 'Endpoint set' } },
    },
    async (call) => {
      await call.audited((on) => verbs.setPush(on, call.params.name, call.body as Json))
      return { status: 204 }
    },
  )

  api.route(
    {
      method: 'delete',
      path,
      scope: 'admin',
      tag,
      operationId: 'removeEndpoint',
      summary: 'Stop delivering the tasks of a queue to its endpoint',
      params: byName,
      responses: { 204: { description: 'Endpoint removed' } },
    },
    async (call) => {
      await call.audited((on) => verbs.setPush(on, call.params.name, null))
      return { status: 204 }
    },
  )
}
