import { z } from '@hono/zod-openapi'
import { paperStates } from '../answers/paper-state.ts'
import { duration, givenTime, id, json, time } from './common.ts'

export const kind = z.enum(['handler', 'sql', 'document'])

export const state = z.enum([
  'scheduled',
  'retrying',
  'blocked',
  'ready',
  'running',
  'done',
  'failed',
  'cancelled',
])

export const reason = z.enum([
  'error',
  'timeout',
  'lost',
  'rejected',
  'killed',
  'expired',
  'aborted',
  'dependency',
])

export const backoff = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('none') }),
    z.strictObject({ kind: z.literal('never') }),
    z.strictObject({ kind: z.literal('fixed'), base: duration, jitter: z.number().optional() }),
    z.strictObject({
      kind: z.literal('exponential'),
      base: duration.optional(),
      cap: duration.optional(),
      jitter: z.number().optional(),
    }),
  ])
  .openapi('Backoff')

/** A 32-bit number, as the columns are. */
export const integer = z.int32()

/** Bounded here too, so that a body of half a million items is rejected before each item is checked. */
const names = z.array(z.string()).max(1000)

/** What can be said of a task besides where it goes and when it repeats. */
export const taskSettings = {
  payload: json.optional(),
  handler: z
    .string()
    .min(1)
    .optional()
    .openapi({ description: 'By default named like the queue.' }),
  kind: kind.optional(),
  priority: integer.optional().openapi({ description: 'Higher first.' }),
  run_at: givenTime.optional().openapi({ description: 'Not before this time.' }),
  delay: duration.optional().openapi({ description: 'Instead of run_at: so long from now.' }),
  key: z.string().min(1).optional().openapi({ description: 'At most one live task per queue.' }),
  on_duplicate: z.enum(['keep', 'replace', 'debounce', 'throttle']).optional(),
  window: duration.optional(),
  frees_key: z.boolean().optional(),
  groups: names.optional(),
  max_running: integer.optional(),
  tags: names.optional(),
  version: integer.optional(),
  max_attempts: integer.optional(),
  backoff: backoff.optional(),
  timeout: duration.optional(),
  deadline: givenTime.optional(),
  retention: duration.optional(),
  parent: id.optional(),
  meta: z.record(z.string(), z.unknown()).optional(),
}

/** A payload that no program on the way has to read. */
export const payloadText = z.string().optional().openapi({
  description:
    'Instead of payload: the same as a text in JSON, whose numbers keep all their digits.',
})

/** What amend() takes; null puts the default back. */
export const taskChanges = z
  .strictObject({
    payload: json.optional(),
    payload_text: payloadText,
    run_at: givenTime.nullish(),
    deadline: givenTime.nullish(),
    priority: integer.nullish(),
    version: integer.nullish(),
    groups: names.nullish(),
    max_running: integer.nullish(),
    tags: names.nullish(),
    timeout: duration.nullish(),
    max_attempts: integer.nullish(),
    backoff: backoff.nullish(),
    retention: duration.nullish(),
    parent: id.nullish(),
    meta: z.record(z.string(), z.unknown()).nullish(),
  })
  .openapi('TaskChanges')

/** The task itself, as the view `task` shows it; the token of its lease is its holder's alone. */
export const task = z
  .object({
    id,
    state,
    paper_state: z
      .enum(paperStates)
      .optional()
      .openapi({ description: 'With `states=paper`: the state in the words of the paper.' }),
    reason: reason.nullable(),
    queue: z.string(),
    kind,
    handler: z.string().nullable(),
    key: z.string().nullable(),
    groups: z.array(z.string()).nullable(),
    tags: z.array(z.string()).nullable(),
    priority: integer,
    version: integer,
    attempt: integer,
    max_attempts: integer.nullable(),
    iteration: z.string(),
    parent: id.nullable(),
    submitted_by: z.string(),
    created_at: time,
    run_at: time,
    started_at: time.nullable(),
    finished_at: time.nullable(),
    keep_until: time.nullable(),
    deadline: time.nullable(),
    timeout: z.string().nullable(),
    worker: z.string().nullable(),
    claimed_at: time.nullable(),
    lease_expires_at: time.nullable(),
    waits_for: z.string().nullable(),
    progress: json,
    meta: json,
    payload: json,
    output: json,
    error: json,
  })
  .openapi('Task')
