import { z } from '@hono/zod-openapi'
import { duration, givenTime, id, json, time } from './common.ts'
import { waitReason } from './waiting.ts'

export const kind = z.enum(['handler', 'sql', 'document'])

export const state = z.enum([
  'waiting',
  'scheduled',
  'retrying',
  'blocked',
  'ready',
  'running',
  'done',
  'failed',
  'cancelled',
])

/**
 * The states of the task server's paper. `New` and `Watching` are never seen: a task is Ready or Delayed
 * from its first moment, and becomes due as time passes, without any process watching.
 */
export const paperState = z.enum([
  'New',
  'Ready',
  'Delayed',
  'Watching',
  'Reserved',
  'Aborted',
  'Success',
  'Buried',
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

const on_permanent = z.enum(['fail', 'retry']).optional().openapi({
  description:
    'SQL tasks only: whether an error that another attempt cannot fix is retried. By default it fails the task.',
})

export const backoff = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('none'), on_permanent }),
    z.strictObject({ kind: z.literal('never'), on_permanent }),
    z.strictObject({
      kind: z.literal('fixed'),
      base: duration,
      jitter: z.number().optional(),
      on_permanent,
    }),
    z.strictObject({
      on_permanent,
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
    .openapi({ description: 'By default the name of the queue.' }),
  kind: kind.optional(),
  priority: integer.optional().openapi({ description: 'Higher priorities first.' }),
  run_at: givenTime.optional().openapi({ description: 'The earliest start.' }),
  delay: duration
    .optional()
    .openapi({ description: 'Instead of run_at: the earliest start, from now.' }),
  key: z
    .string()
    .min(1)
    .optional()
    .openapi({ description: 'At most one live task per queue has this key.' }),
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
  after: z
    .array(id)
    .min(1)
    .max(100_000)
    .optional()
    .openapi({ description: 'The task starts after these tasks have ended.' }),
  after_failure: z
    .enum(['fail', 'skip', 'run'])
    .optional()
    .openapi({ description: 'What to do with the task if one of them does not succeed.' }),
}

/** A payload that no program on the way has to read. */
export const payloadText = z.string().optional().openapi({
  description: 'Instead of payload: its JSON as a text, whose numbers keep all their digits.',
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
    paper_state: paperState.optional().openapi({
      description: 'With `states=task-server`: the state in the words of that dialect.',
    }),
    waiting: z.array(waitReason).optional().openapi({
      description:
        'Why the task waits, the most important reason first. Only when you get one task, and only while it waits.',
    }),
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
    iteration: z.int(),
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
    waits: json.openapi({ description: 'What a task in state `waiting` waits for.' }),
    progress: json,
    meta: json,
    payload: json,
    output: json,
    error: json,
  })
  .openapi('Task')
