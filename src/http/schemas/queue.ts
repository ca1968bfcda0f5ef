import { z } from '@hono/zod-openapi'
import { duration, json, time } from './common.ts'
import { backoff, integer } from './task.ts'
import { waitReason } from './waiting.ts'

/** What queues and groups limit alike. Null lifts a limit. */
export const limits = {
  max_running: integer.nullable().optional(),
  gap: duration.nullable().optional(),
  gap_from: z.enum(['start', 'end']).optional(),
  rate: integer.nullable().optional(),
  rate_window: duration.nullable().optional(),
}

export const queueChanges = z
  .strictObject({
    ...limits,
    max_attempts: integer.nullable().optional(),
    max_payload: integer.nullable().optional().openapi({ description: 'In bytes.' }),
    group_max_running: integer.nullable().optional(),
    keep_done: duration.nullable().optional(),
    keep_failed: duration.nullable().optional(),
    keep_cancelled: duration.nullable().optional(),
    backoff: z.union([backoff, z.null()]).optional(),
    on_lost: z.enum(['retry', 'fail']).nullable().optional(),
    timeout: duration
      .nullable()
      .optional()
      .openapi({ description: 'For tasks that have none of their own.' }),
    sql_max_rows: integer
      .nullable()
      .optional()
      .openapi({ description: 'The most rows that are kept of one result of a SQL task.' }),
    sql_max_bytes: integer
      .nullable()
      .optional()
      .openapi({ description: 'The most bytes of the output of a SQL task.' }),
    is_fair: z.boolean().optional(),
    keeps_keys: z.boolean().optional(),
    records_events: z.boolean().optional(),
    packs: z.boolean().nullable().optional(),
  })
  .openapi('QueueChanges')

/** Null is as the queue `*` says, or no limit. */
export const queueSettings = z
  .object({
    max_running: integer.nullable(),
    gap: z.string().nullable(),
    gap_from: z.enum(['start', 'end']).nullable(),
    rate: integer.nullable(),
    rate_window: z.string().nullable(),
    max_attempts: integer.nullable(),
    max_payload: integer.nullable(),
    group_max_running: integer.nullable(),
    keep_done: z.string().nullable(),
    keep_failed: z.string().nullable(),
    keep_cancelled: z.string().nullable(),
    backoff: z.union([backoff, z.null()]),
    on_lost: z.enum(['retry', 'fail']).nullable(),
    timeout: z.string().nullable(),
    sql_max_rows: integer.nullable(),
    sql_max_bytes: integer.nullable(),
    is_fair: z.boolean(),
    keeps_keys: z.boolean(),
    records_events: z.boolean(),
    packs: z.boolean().nullable(),
  })
  .openapi('QueueSettings')

/** What waits and runs in a queue. `due`, `later` and `asleep` stop at 10,000; `depth` is exact. */
export const queueStats = z
  .object({
    queue: z.string(),
    paused_at: time.nullable(),
    max_running: integer.nullable(),
    depth: z.int().openapi({ description: 'Tasks that have not ended.' }),
    running: z.int(),
    due: z.int().openapi({ description: 'At most 10,000 are counted.' }),
    later: z.int().openapi({ description: 'At most 10,000 are counted.' }),
    asleep: z.int().openapi({
      description:
        'Tasks that wait for a signal, for children or for other tasks, without a time-out. At most 10,000 are counted.',
    }),
    oldest_due_at: time.nullable(),
    enqueued_last_hour: z.int(),
    done_last_hour: z.int(),
    failed_last_hour: z.int(),
    cancelled_last_hour: z.int(),
    waiting: z
      .array(waitReason)
      .openapi({ description: 'Why its first due task cannot start; empty while tasks start.' }),
  })
  .openapi('QueueStats')

export const queue = z.object({ ...queueStats.shape, settings: queueSettings }).openapi('Queue')

/** Where the value of a setting comes from. */
export const inForce = z
  .record(z.string(), z.object({ value: json, source: z.enum(['queue', '*', 'default']) }))
  .openapi('SettingsInForce', {
    description:
      'The value in force of each setting, and its source: the queue itself, the queue `*`, or the default.',
  })

export const queueInForce = z.object({ ...queue.shape, in_force: inForce }).openapi('QueueInForce')

export const groupChanges = z
  .strictObject({
    ...limits,
    weight: integer.optional().openapi({ description: 'Its share in a fair queue.' }),
  })
  .openapi('GroupChanges')

export const group = z
  .object({
    group: z.string(),
    paused_at: time.nullable(),
    running: z.int(),
    parked: z
      .int()
      .openapi({ description: 'Due tasks that wait for a slot; at most 10,000 are counted.' }),
    next_start_at: time.nullable(),
    max_running: integer.nullable(),
    gap: z.string().nullable(),
    gap_from: z.enum(['start', 'end']),
    rate: integer.nullable(),
    rate_window: z.string().nullable(),
    rate_left: z.number().nullable(),
    weight: integer,
  })
  .openapi('Group')
