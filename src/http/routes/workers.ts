import { z } from '@hono/zod-openapi'
import { notThere } from '../answers/not-there.ts'
import { onTheWire } from '../answers/on-the-wire.ts'
import { wholeList } from '../answers/page-of.ts'
import { toWire } from '../answers/task-on-the-wire.ts'
import type { HttpContext } from '../http-context.ts'
import type { Api } from '../routing/route.ts'
import { listOf } from '../schemas/common.ts'
import { worker, workerAtWork } from '../schemas/worker.ts'

const tag = 'Workers'
const byWorker = z.object({ id: z.string().min(1) })

/** The processes that run tasks. */
export function register(api: Api, { verbs, reads }: HttpContext): void {
  api.route(
    {
      method: 'get',
      path: '/workers',
      scope: 'read',
      tag,
      operationId: 'listWorkers',
      summary: 'List workers, and how many tasks each holds',
      responses: { 200: { description: 'The oldest first', body: listOf(worker) } },
    },
    async () => {
      const workers = await verbs.workers(reads)
      return wholeList(workers.map((row) => onTheWire(worker, row)))
    },
  )

  api.route(
    {
      method: 'get',
      path: '/workers/{id}',
      scope: 'read',
      tag,
      operationId: 'getWorker',
      summary: 'Get a worker with the tasks that it runs',
      params: byWorker,
      responses: { 200: { description: 'The worker', body: workerAtWork } },
    },
    async ({ params: { id } }) => {
      const found = await verbs.worker(reads, id)
      if (found === null) throw gone(id)
      const { tasks } = await verbs.pageTasks(reads, { worker: id, state: 'running' })
      const running = tasks.map((task) => toWire(task))
      return { status: 200, body: { ...onTheWire(worker, found), running } }
    },
  )

  api.route(
    {
      method: 'post',
      path: '/workers/{id}/drain',
      scope: 'operate',
      tag,
      operationId: 'drainWorker',
      summary: 'Ask a worker to claim no more tasks and to stop when its tasks have ended',
      params: byWorker,
      responses: { 204: { description: 'Worker asked' } },
    },
    async (call) => {
      const { id } = call.params
      if ((await verbs.worker(reads, id)) === null) throw gone(id)
      await call.audited((db) => verbs.drainWorker(db, id))
      return { status: 204 }
    },
  )
}

function gone(id: string) {
  return notThere('worker', id, 'Workers that left are forgotten; GET /workers lists the others.')
}
