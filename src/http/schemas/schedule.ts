import { z } from '@hono/zod-openapi'
import { duration, givenTime, id, json, time } from './common.ts'
import { integer, state, taskSettings } from './task.ts'

/** A schedule has the time; its tasks have none of their own. */
const { run_at: _, delay: __, deadline: ___, parent: ____, ...timeless } = taskSettings

export const template = z
  .strictObject({ queue: z.string().min(1), ...timeless })
  .openapi('ScheduledTask', { description: 'The task that it enqueues each time.' })

/** A time; without an offset it is meant in the zone of the schedule. */
const localTime = z.string().min(1).openapi({ example: '2026-12-24 18:00' })

const planning = {
  cron: z.string().nullable().optional().openapi({ example: '30 2 * * *' }),
  every: duration.nullable().optional(),
  at: localTime.nullable().optional(),
  zone: z.string().nullable().optional().openapi({ example: 'Europe/Berlin' }),
  starts_at: localTime.nullable().optional(),
  ends_at: localTime.nullable().optional(),
  jitter: duration.nullable().optional(),
  misfire: z.enum(['once', 'skip', 'all']).nullable().optional(),
  misfire_after: duration.nullable().optional(),
  catch_up: integer.nullable().optional(),
  overlap: z.enum(['allow', 'skip', 'queue', 'cancel']).nullable().optional(),
  drift: z.enum(['planned', 'finished']).nullable().optional(),
  keep: duration.nullable().optional(),
}

/** The whole of it: what is left out is the default. */
export const wholeSchedule = z
  .strictObject({ task: template, ...planning })
  .openapi('ScheduleSettings')

/** What is left out stays as it is; null puts the default back. */
export const scheduleChanges = z
  .strictObject({ task: template.optional(), ...planning })
  .openapi('ScheduleChanges')

const outcome = z.enum(['fired', 'skipped'])
const reason = z.enum(['misfire', 'overlap', 'paused', 'key', 'error'])

export const schedule = z
  .object({
    name: z.string(),
    words: z.string().openapi({ example: 'Every day at 02:30 (Europe/Berlin)' }),
    state: z.enum(['planned', 'running', 'paused', 'failing', 'over']),
    zone: z.string(),
    next_at: time.nullable(),
    paused_at: time.nullable(),
    pause_reason: z.string().nullable().openapi({
      description: 'Why the engine paused it; null if an operator did.',
      example: 'token 7 (web shop), which set it, was revoked',
    }),
    last_planned_at: time.nullable(),
    last_recorded_at: time.nullable(),
    last_outcome: outcome.nullable(),
    last_reason: reason.nullable(),
    last_fired_at: time.nullable(),
    last_task: id.nullable(),
    last_task_state: state.nullable(),
    error: json,
    failures: z.int(),
    cron: z.string().nullable(),
    every: z.string().nullable(),
    at: time.nullable(),
    anchor: time.openapi({ description: 'What `every` counts from.' }),
    starts_at: time.nullable(),
    ends_at: time.nullable(),
    jitter: z.string().nullable(),
    misfire: z.enum(['once', 'skip', 'all']),
    misfire_after: z.string(),
    catch_up: z.int(),
    overlap: z.enum(['allow', 'skip', 'queue', 'cancel']),
    drift: z.enum(['planned', 'finished']),
    keep: z.string(),
    revision: z.int(),
    created_by: z.string(),
    created_at: time,
    set_by: z.string(),
    token: id.nullable().openapi({ description: 'The token that it was set with.' }),
    updated_at: time,
    task: json,
  })
  .openapi('Schedule')

export const occurrence = z
  .object({
    planned_at: time,
    outcome,
    reason: reason.nullable(),
    origin: z.enum(['schedule', 'backfill', 'now']),
    task: id.nullable(),
    run_at: time.nullable(),
    recorded_at: time,
  })
  .openapi('Occurrence')

export const occurrenceOutcome = outcome

export const previewOf = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .optional()
      .openapi({ description: 'The name of an existing schedule.' }),
    settings: scheduleChanges
      .optional()
      .openapi({ description: 'Settings to preview, instead of a name.' }),
    count: z.int().min(1).max(1000).default(10),
    from: givenTime.optional(),
  })
  .openapi('PreviewRequest')

export const preview = z
  .object({
    words: z.string(),
    items: z.array(
      z.object({
        planned_at: time,
        local: z.string().openapi({ description: 'The time in the time zone of the schedule.' }),
        note: z
          .enum(['moved', 'first_of_two', 'second_of_two'])
          .nullable()
          .openapi({ description: 'Set where daylight saving time begins or ends.' }),
        meant: z
          .string()
          .nullable()
          .openapi({ description: 'With a note: the time that the plan names.', example: '02:30' }),
        words: z.string().nullable().openapi({
          description: 'The note as a sentence.',
          example: '02:30 does not exist: moved to 03:00',
        }),
      }),
    ),
  })
  .openapi('Preview')

export const backfillRange = z.strictObject({
  from: givenTime,
  to: givenTime,
  limit: z.int().min(1).max(100_000).optional(),
})

export const backfilled = z
  .object({ fired: z.int(), more_from: time.nullable() })
  .openapi('Backfilled')
