import { z } from '@hono/zod-openapi'
import { json, time } from './common.ts'
import { integer, reason, state } from './task.ts'

export const attempt = z
  .object({
    iteration: z.int(),
    attempt: integer,
    reason,
    worker: z.string().nullable(),
    started_at: time.nullable(),
    ended_at: time,
    error: json,
    payload: json.nullable().openapi({
      description:
        'The payload it ran with, if it was replaced afterwards. Earlier attempts without one ran with the same.',
    }),
  })
  .openapi('Attempt')

export const logLine = z
  .object({ attempt: integer, at: time, level: z.string(), message: z.string() })
  .openapi('LogLine')

export const log = z
  .object({
    items: z.array(logLine),
    next_after: z.int(),
  })
  .openapi('Log')

export const taskTexts = z
  .object({ payload: z.string().nullable(), output: z.string().nullable() })
  .openapi('TaskTexts')

export const taskCount = z.object({ count: z.int(), exact: z.boolean() }).openapi('TaskCount')

export const stateCount = z
  .object({ state, count: z.int(), exact: z.boolean(), estimated: z.boolean() })
  .openapi('StateCount')

export const runningSql = z
  .object({
    worker: z.string().nullable(),
    attempt: integer,
    pid: z.int().nullable(),
    connection: z.string().nullable(),
    state: z.string().nullable(),
    wait_event_type: z.string().nullable(),
    wait_event: z.string().nullable(),
    blocked_by: z.array(z.int()).nullable(),
    started_at: time.nullable(),
    running_for: z.string().nullable(),
    query: z.string().nullable(),
  })
  .openapi('RunningSql')
