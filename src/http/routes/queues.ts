import type { Queryable } from '../../db/queryable.ts'
import type { Json } from '../../engine/task.ts'
import { notThere } from '../answers/not-there.ts'
import { wholeList } from '../answers/page-of.ts'
import {
  emptyStats,
  explainStats,
  readQueueStats,
  settingsOf,
  settingsToWire,
  statsToWire,
} from '../answers/queue-on-the-wire.ts'
import type { HttpContext } from '../http-context.ts'
import { edit } from '../requests/edit.ts'
import { etagOf } from '../requests/etag.ts'
import type { Api } from '../routing/route.ts'
import { byName, listOf } from '../schemas/common.ts'
import { queue, queueChanges, queueInForce, queueSettings } from '../schemas/queue.ts'
import { registerPausing } from './pausing.ts'

const tag = 'Queues'

/** Queues: their counts and settings. */
export function register(api: Api, context: HttpContext): void {
  listQueues(api, context)
  showQueue(api, context)
  change(api, context)
}

function listQueues(api: Api, context: HttpContext): void {
  const { verbs, reads } = context
  api.route(
    {
      method: 'get',
      path: '/queues',
      scope: 'read',
      tag,
      operationId: 'listQueues',
      summary: 'List all queues with their counts and settings',
      responses: { 200: { description: 'By name', body: listOf(queue) } },
    },
    async () => {
      const [{ queues: stats }, settings] = await Promise.all([
        readQueueStats(context),
        verbs.queues(reads),
      ])
      const byQueue = new Map(settings.map((row) => [row.queue, row]))
      return wholeList(
        stats.map((row) => ({ ...row, settings: settingsToWire(byQueue.get(String(row.queue))) })),
      )
    },
  )
}

function showQueue(api: Api, context: HttpContext): void {
  const { verbs, reads } = context
  api.route(
    {
      method: 'get',
      path: '/queues/{name}',
      scope: 'read',
      tag,
      operationId: 'getQueue',
      summary: 'Get a queue. The name `*` stands for the defaults of all queues.',
      params: byName,
      responses: {
        200: { description: 'The queue. The ETag covers its settings.', body: queueInForce },
      },
    },
    async ({ params: { name } }) => {
      const [stats, totals, row, held] = await Promise.all([
        verbs.queueStatsOf(reads, name),
        verbs.queueTotals(reads),
        verbs.queue(reads, name),
        verbs.readSettings(reads, name),
      ])
      if (stats === null && row === null) {
        throw notThere('queue', name, 'A queue is there once a task was enqueued or it was set.')
      }
      const settings = settingsToWire(row)
      const in_force = Object.fromEntries(
        held.map(({ setting, value, source }) => [setting, { value, source }]),
      )
      const total = totals.find((one) => one.queue === name)
      const waiting = stats === null ? [] : await explainStats(context, [stats])
      const shown = stats === null ? emptyStats(name) : statsToWire(stats, total, waiting)
      return {
        status: 200,
        headers: { etag: etagOf(settings) },
        body: { ...shown, paused_at: row?.paused_at ?? null, settings, in_force },
      }
    },
  )
}

function change(api: Api, context: HttpContext): void {
  const { verbs } = context
  api.route(
    {
      method: 'patch',
      path: '/queues/{name}',
      scope: 'operate',
      tag,
      operationId: 'setQueue',
      summary: 'Change the settings of a queue, from the next claim on; null restores a default',
      heedsIfMatch: true,
      params: byName,
      body: queueChanges,
      responses: { 200: { description: 'Its settings afterwards', body: queueSettings } },
    },
    async (call) => {
      const { name } = call.params
      const settings = await edit(call, {
        ...editedQueue(context, name),
        write: (db) => verbs.setQueue(db, name, call.body as Json),
      })
      return { status: 200, headers: { etag: etagOf(settings) }, body: settings }
    },
  )

  registerPausing(api, context, {
    things: 'queues',
    tag,
    edited: (name) => editedQueue(context, name),
    pause: {
      verb: 'pause',
      operationId: 'pauseQueue',
      summary: 'Pause a queue: no task starts, running tasks go on',
      description: 'Queue paused',
    },
    resume: {
      verb: 'resume',
      operationId: 'resumeQueue',
      summary: 'Resume a queue: its tasks start again',
      description: 'Queue resumed',
    },
  })
}

function editedQueue(context: HttpContext, name: string) {
  return {
    kind: 'queue' as const,
    name,
    read: (db: Queryable) => settingsOf(context, db, name),
    etag: etagOf,
  }
}
