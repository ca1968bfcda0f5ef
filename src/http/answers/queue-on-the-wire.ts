import type { z } from '@hono/zod-openapi'
import type { Queryable } from '../../db/queryable.ts'
import type { QueueWaitReason } from '../../engine/explaining.ts'
import type { QueueStats, QueueTotal } from '../../engine/measuring.ts'
import type { Queue } from '../../engine/queue-settings.ts'
import type { HttpContext } from '../http-context.ts'
import type { Sendable } from '../routing/call.ts'
import { queueSettings, queueStats } from '../schemas/queue.ts'
import { onTheWire } from './on-the-wire.ts'

export type WireStats = Sendable<z.input<typeof queueStats>>
export type WireSettings = Sendable<z.input<typeof queueSettings>>

/** What waits and runs in every queue, and why it waits. */
export async function readQueueStats(
  context: HttpContext,
): Promise<{ queues: WireStats[]; totals: QueueTotal[] }> {
  const { verbs, reads } = context
  const [stats, totals] = await Promise.all([verbs.queueStats(reads), verbs.queueTotals(reads)])
  const byQueue = new Map(totals.map((total) => [total.queue, total]))
  const waiting = await explainStats(context, stats)
  const queues = stats.map((row) => statsToWire(row, byQueue.get(row.queue), waiting))
  return { queues, totals }
}

/** Asked only of queues that have something due. */
export async function explainStats(
  { verbs, reads }: HttpContext,
  stats: readonly QueueStats[],
): Promise<QueueWaitReason[]> {
  const due = stats.filter((row) => row.due > 0).map(({ queue }) => queue)
  return due.length === 0 ? [] : verbs.explainQueues(reads, due)
}

export function statsToWire(
  row: QueueStats,
  total: QueueTotal | undefined,
  reasons: readonly QueueWaitReason[],
): WireStats {
  const waiting = reasons
    .filter(({ queue }) => queue === row.queue)
    .map(({ queue: _, ...reason }) => reason)
  return onTheWire(queueStats, { ...row, depth: total?.depth ?? 0, waiting })
}

/** A queue in which nothing has happened yet. */
export function emptyStats(queue: string): WireStats {
  return {
    queue,
    paused_at: null,
    max_running: null,
    depth: 0,
    running: 0,
    due: 0,
    later: 0,
    asleep: 0,
    oldest_due_at: null,
    enqueued_last_hour: 0,
    done_last_hour: 0,
    failed_last_hour: 0,
    cancelled_last_hour: 0,
    waiting: [],
  }
}

/** The settings of a queue; empty if it has none of its own. */
export function settingsToWire(row: Queue | null | undefined): WireSettings {
  const unset = Object.keys(queueSettings.shape).map((name) => [name, null])
  const none = { ...Object.fromEntries(unset), is_fair: false, keeps_keys: false }
  return onTheWire(queueSettings, { ...none, records_events: false, ...row } as WireSettings)
}

export async function settingsOf(
  { verbs }: HttpContext,
  db: Queryable,
  name: string,
): Promise<WireSettings> {
  return settingsToWire(await verbs.queue(db, name))
}
