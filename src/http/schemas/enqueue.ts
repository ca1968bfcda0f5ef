import { z } from '@hono/zod-openapi'
import { duration, givenTime, id, json, time } from './common.ts'
import { integer, payloadText, task, taskSettings } from './task.ts'

const planned = {
  cron: z.string().optional().openapi({ example: '30 2 * * *' }),
  every: duration.optional(),
  at: z.string().optional(),
  zone: z.string().optional().openapi({ example: 'Europe/Berlin' }),
  starts_at: givenTime.optional(),
  ends_at: givenTime.optional(),
  jitter: duration.optional(),
  misfire: z.enum(['once', 'skip', 'all']).optional(),
  misfire_after: duration.optional(),
  catch_up: integer.optional(),
  overlap: z.enum(['allow', 'skip', 'queue', 'cancel']).optional(),
  drift: z.enum(['planned', 'finished']).optional(),
  keep: duration.optional(),
}

const queue = z.string().min(1).openapi({ example: 'mail' })

/** One task of many: those do not repeat. */
export const newTask = z
  .strictObject({ queue, ...taskSettings, payload_text: payloadText })
  .openapi('NewTask')

/** One task, or the plan that makes it again and again. */
export const repeatable = z
  .strictObject({
    queue,
    ...taskSettings,
    payload_text: payloadText,
    repeat: z
      .strictObject({
        name: z
          .string()
          .min(1)
          .optional()
          .openapi({ description: 'The name of the schedule; one is made up unless given.' }),
        ...planned,
      })
      .optional()
      .openapi({ description: 'Makes a schedule, of which this is the task.' }),
  })
  .openapi('NewRepeatableTask')

export const manyTasks = z
  .strictObject({ tasks: z.array(newTask).min(1).max(10_000) })
  .openapi('NewTasks')

const outcome = z.enum(['created', 'kept', 'replaced', 'debounced', 'throttled'])

const enqueued = z.object({ id, outcome }).openapi('Enqueued')

/** What became of a task; with `Prefer: wait` the task itself as well. */
export const enqueuedOne = z.object({ id, outcome, task: task.optional() }).openapi('EnqueuedTask')

export const enqueuedMany = z.object({ tasks: z.array(enqueued) }).openapi('EnqueuedTasks')

export const plannedTask = z
  .object({
    schedule: z.string(),
    next_at: time.nullable(),
    task: json.openapi({ description: 'The task that it repeats, as it is stored.' }),
  })
  .openapi('RepeatedTask')
