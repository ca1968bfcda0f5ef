import type { Api } from '../../src/http/routing/route.ts'

declare const api: Api

const common = {
  method: 'get',
  path: '/queues',
  tag: 'Queues',
  operationId: 'listQueues',
  summary: 'List all queues',
  responses: { 204: { description: 'Nothing' } },
} as const

api.route({ ...common, scope: 'read' }, async () => ({ status: 204 }))

// @ts-expect-error a route must say who may call it
api.route(common, async () => ({ status: 204 }))

// @ts-expect-error there is no such scope
api.route({ ...common, scope: 'everybody' }, async () => ({ status: 204 }))

// @ts-expect-error a status that is not declared
api.route({ ...common, scope: 'read' }, async () => ({ status: 200 }))
