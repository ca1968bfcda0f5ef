import { z } from '@hono/zod-openapi'
import { givenTime, id, time } from './common.ts'
import { queueStats } from './queue.ts'
import { reason } from './task.ts'

/** What happened to tasks, counted. */
const counts = {
  enqueued: z.int(),
  started: z.int(),
  done: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  retried: z.int(),
  lost: z.int(),
}

export const stats = z
  .object({
    now: time,
    queues: z.array(queueStats),
    totals: z.object({
      depth: z.int().openapi({ description: 'Tasks that have not ended.' }),
      waiting: z.int(),
      running: z.int(),
      ...counts,
    }),
  })
  .openapi('Stats')

const seconds = z.number().nullable().openapi({ description: 'Seconds; null if no task ended.' })

export const series = z
  .object({
    from: time,
    to: time,
    width: z.int().openapi({ description: 'Seconds per point.' }),
    points: z.array(
      z.object({
        at: time,
        ...counts,
        wait_p50: seconds,
        wait_p95: seconds,
        wait_p99: seconds,
        run_p50: seconds,
        run_p95: seconds,
        run_p99: seconds,
      }),
    ),
  })
  .openapi('Series')

export const seriesQuery = z.strictObject({
  range: z.enum(['15m', '1h', '6h', '24h', '7d']).optional(),
  from: givenTime.optional().openapi({ description: 'The start, instead of a range.' }),
  to: givenTime.optional(),
  queue: z.string().optional().openapi({ description: 'All queues by default.' }),
})

export const handlerStats = z
  .object({
    queue: z.string(),
    kind: z.enum(['handler', 'sql', 'document']),
    handler: z.string().nullable(),
    done: z.int(),
    failed: z.int(),
    cancelled: z.int(),
    attempts: z.number().openapi({ description: 'The average number of attempts of a task.' }),
    wait_p50: seconds,
    wait_p95: seconds,
    run_p50: seconds,
    run_p95: seconds,
    run_p99: seconds,
    last_at: time,
    since: time.openapi({ description: 'When the oldest counted task ended.' }),
  })
  .openapi('HandlerStats')

export const handlersQuery = z.strictObject({
  range: z
    .enum(['15m', '1h', '6h', '24h', '7d'])
    .default('24h')
    .openapi({ description: 'How far back to look.' }),
  queue: z.string().optional().openapi({ description: 'All queues by default.' }),
})

export const pulse = z
  .object({
    queue: z.string(),
    done: z.array(z.int()).openapi({ description: 'Completed tasks by minute, the latest last.' }),
  })
  .openapi('Pulse')

export const errorGroup = z
  .object({
    fingerprint: z.string().openapi({ description: 'Filter tasks by it: `error`.' }),
    queue: z.string(),
    code: z.string().nullable(),
    message: z.string().openapi({ description: 'The message, without the parts that differ.' }),
    sample: z.string().openapi({ description: 'The message of the latest failure.' }),
    reason,
    count: z.int(),
    last_hour: z.int(),
    last_day: z.int(),
    first_at: time,
    last_at: time,
    last_task: id,
  })
  .openapi('ErrorGroup')
