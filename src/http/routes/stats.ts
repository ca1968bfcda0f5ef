import type { QueueTotal } from '../../engine/measuring.ts'
import { wholeList } from '../answers/page-of.ts'
import { readQueueStats } from '../answers/queue-on-the-wire.ts'
import type { HttpContext } from '../http-context.ts'
import { seriesSpan } from '../requests/series-span.ts'
import type { Api } from '../routing/route.ts'
import { listOf } from '../schemas/common.ts'
import { handlerStats, handlersQuery, pulse, series, seriesQuery, stats } from '../schemas/stats.ts'

const tag = 'Statistics'

/** How much of everything there is, now and over time. */
export function register(api: Api, context: HttpContext): void {
  tellNow(api, context)
  tellSeries(api, context)
  tellPulses(api, context)
  tellHandlers(api, context)
}

function tellNow(api: Api, context: HttpContext): void {
  api.route(
    {
      method: 'get',
      path: '/stats',
      scope: 'read',
      tag,
      operationId: 'getStats',
      summary: 'Count waiting, running and ended tasks, by queue and in total',
      description:
        'Totals count from the beginning and come from counters, so this is fast however many tasks are stored.',
      responses: { 200: { description: 'The current counts', body: stats } },
    },
    async () => {
      const { queues, totals } = await readQueueStats(context)
      return { status: 200, body: { now: new Date(), queues, totals: sumOf(totals) } }
    },
  )
}

function tellSeries(api: Api, { verbs, reads }: HttpContext): void {
  api.route(
    {
      method: 'get',
      path: '/stats/series',
      scope: 'read',
      tag,
      operationId: 'getSeries',
      summary: 'Show counts over time, and how long attempts waited and ran',
      description:
        'Covers a range (1h by default) or the time between two times. The width of the points follows from that.',
      query: seriesQuery,
      responses: {
        200: { description: 'One point per width, also where nothing happened', body: series },
      },
    },
    async ({ query: { queue, ...asked } }) => {
      const span = seriesSpan(asked)
      const points = await verbs.series(reads, { ...span, queue })
      return { status: 200, body: { ...span, points } }
    },
  )
}

function tellPulses(api: Api, { verbs, reads }: HttpContext): void {
  api.route(
    {
      method: 'get',
      path: '/stats/pulses',
      scope: 'read',
      tag,
      operationId: 'listPulses',
      summary: 'Count the tasks that each queue completed in each minute of the last hour',
      description: 'Queues that completed nothing are left out.',
      responses: { 200: { description: 'By name', body: listOf(pulse) } },
    },
    async () => wholeList(await verbs.pulses(reads)),
  )
}

function tellHandlers(api: Api, { verbs, reads }: HttpContext): void {
  api.route(
    {
      method: 'get',
      path: '/stats/handlers',
      scope: 'read',
      tag,
      operationId: 'listHandlerStats',
      summary: 'Show the outcomes of the latest tasks by handler, and how long they waited and ran',
      description:
        'Counts the newest 20,000 tasks that ended within the range; `since` is the oldest end among them.',
      query: handlersQuery,
      responses: { 200: { description: 'By queue and handler', body: listOf(handlerStats) } },
    },
    async ({ query: { queue, range } }) => {
      const { from: since } = seriesSpan({ range })
      return wholeList(await verbs.handlerStats(reads, { since, queue }))
    },
  )
}

type Count = Exclude<keyof QueueTotal, 'queue' | 'waits' | 'runs'>

function sumOf(totals: readonly QueueTotal[]) {
  const sum = (name: Count) => totals.reduce((total, queue) => total + queue[name], 0)
  return {
    depth: sum('depth'),
    waiting: sum('waiting'),
    running: sum('running'),
    enqueued: sum('enqueued'),
    started: sum('claimed'),
    done: sum('done'),
    failed: sum('failed'),
    cancelled: sum('cancelled'),
    retried: sum('retried'),
    lost: sum('lost'),
  }
}
