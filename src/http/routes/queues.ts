import type { Queryable } from '../../db/queryable.ts'
import type { Json } from '../../engine/task.ts'
import { notThere } from '../answers/not-there.ts'
import { wholeList } from '../answers/page-of.ts'
import {
  emptyStats,
  readQueueStats,
  settingsOf,
  settingsToWire,
  statsToWire,
} from '../answers/queue-on-the-wire.ts'
import type { HttpContext } from '../http-context.ts'
import { edit, requireUnchanged } from '../requests/edit.ts'
import { etagOf } from '../requests/etag.ts'
import type { Api } from '../routing/route.ts'
import { byName, listOf } from '../schemas/common.ts'
import { queue, queueChanges, queueSettings } from '../schemas/queue.ts'

const tag = 'Queues'

/** Queues: what is in them, and what they are set to. */
export function register(api: Api, context: HttpContext): void {
  look(api, context)
  change(api, context)
}

function look(api: Api, context: HttpContext): void {
  const { verbs, reads } = context
  api.route(
    {
      method: 'get',
      path: '/queues',
      scope: 'read',
      tag,
      summary: 'All queues: what waits and runs in them, and what they are set to',
      responses: { 200: { description: 'By name', body: listOf(queue) } },
    },
    async () => {
      const [stats, settings] = await Promise.all([readQueueStats(context), verbs.queues(reads)])
      const byQueue = new Map(settings.map((row) => [row.queue, row]))
      return wholeList(
        stats.map((row) => ({ ...row, settings: settingsToWire(byQueue.get(String(row.queue))) })),
      )
    },
  )

  api.route(
    {
      method: 'get',
      path: '/queues/{name}',
      scope: 'read',
      tag,
      summary: 'One queue; `*` has the defaults of all',
      params: byName,
      responses: { 200: { description: 'The queue; its ETag is of its settings', body: queue } },
    },
    async ({ params: { name } }) => {
      const [stats, totals, row] = await Promise.all([
        verbs.queueStatsOf(reads, name),
        verbs.queueTotals(reads),
        verbs.queue(reads, name),
      ])
      if (stats === null && row === null) {
        throw notThere('queue', name, 'A queue is there once a task was enqueued or it was set.')
      }
      const settings = settingsToWire(row)
      const total = totals.find((one) => one.queue === name)
      const shown = stats === null ? emptyStats(name) : statsToWire(stats, total)
      return {
        status: 200,
        headers: { etag: etagOf(settings) },
        body: { ...shown, paused_at: row?.paused_at ?? null, settings },
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
      summary: 'Change what a queue is set to, from the next claim on; null puts the default back',
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

  for (const [verb, summary] of [
    ['pause', 'Nothing more of a queue starts; what runs goes on'],
    ['resume', 'Tasks of a queue start again'],
  ] as const) {
    api.route(
      {
        method: 'post',
        path: `/queues/{name}/${verb}`,
        scope: 'operate',
        tag,
        summary,
        heedsIfMatch: true,
        params: byName,
        responses: { 204: { description: 'It is so' } },
      },
      async (call) => {
        const { name } = call.params
        await call.audited(async (db) => {
          await requireUnchanged(db, call, editedQueue(context, name))
          await verbs[verb](db, name)
        })
        return { status: 204 }
      },
    )
  }
}

function editedQueue(context: HttpContext, name: string) {
  return {
    kind: 'queue' as const,
    name,
    read: (db: Queryable) => settingsOf(context, db, name),
    etag: etagOf,
  }
}
