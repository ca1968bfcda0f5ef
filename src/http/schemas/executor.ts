import { z } from '@hono/zod-openapi'
import { duration, givenTime, id, json, time } from './common.ts'
import { integer, kind } from './task.ts'

/** The token of a lease: what claim gave. */
export const claim = z
  .string()
  .regex(/^[1-9]\d{0,18}\.[\w-]{22}$/, 'a claim is what came with the tasks')
  .openapi({
    description: 'The claim that came with the tasks.',
    example: '7.q2vXc8Qd0fUO3Jr9oZxk1A',
  })

export const byClaim = z.object({ claim })

export const newClaim = z
  .strictObject({
    queue: z.string().min(1),
    limit: z.int().min(1).max(1000).default(1),
    lease: duration.default('1 minute').openapi({ description: 'How long the claim is valid.' }),
    worker: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .openapi({ description: 'A name for the executor, by default that of its token.' }),
    kinds: z.array(kind).min(1).max(100).default(['handler', 'document']),
    handlers: z
      .array(z.string())
      .min(1)
      .max(10_000)
      .optional()
      .openapi({ description: 'Only these handlers, for tasks of kind handler; all by default.' }),
    versions: z
      .tuple([integer, integer])
      .refine(([from, to]) => from <= to, 'the first is greater than the last')
      .optional()
      .openapi({
        description:
          'Only these versions of tasks without a handler, such as documents: the first and the last. Tasks of kind handler are then claimed only for `handlers`.',
        example: [2, 3],
      }),
  })
  .openapi('NewClaim')

/** A task in the hands of an executor. */
export const claimedTask = z
  .object({
    id,
    attempt: integer,
    max_attempts: integer,
    iteration: z.int(),
    priority: integer,
    version: integer,
    kind,
    queue: z.string(),
    handler: z.string().nullable(),
    key: z.string().nullable(),
    groups: z.array(z.string()).nullable(),
    tags: z.array(z.string()).nullable(),
    parent: id.nullable(),
    created_at: time,
    run_at: time,
    deadline: time.nullable(),
    timeout: z.string().nullable(),
    meta: json,
    payload: json,
  })
  .openapi('ClaimedTask')

export const claimed = z
  .object({ claim, lease_expires_at: time, tasks: z.array(claimedTask) })
  .openapi('Claim')

export const extendClaim = z.strictObject({ lease: duration.default('1 minute') })

export const extended = z
  .object({
    claim,
    held: z
      .boolean()
      .openapi({ description: 'False: stop working on its tasks and drop their results.' }),
  })
  .openapi('ExtendedClaim')

const failReason = z.enum(['error', 'timeout'])

const failure = {
  error: json.optional(),
  reason: failReason.optional(),
  retry: z
    .boolean()
    .optional()
    .openapi({ description: 'False: fail the task, because a retry would not help.' }),
  delay: duration
    .optional()
    .openapi({ description: 'The time until the retry, instead of the backoff.' }),
}

export const completeMany = z.strictObject({
  tasks: z
    .array(z.strictObject({ id, output: json.optional() }))
    .min(1)
    .max(1000),
})

export const failMany = z.strictObject({
  tasks: z
    .array(z.strictObject({ id, ...failure }))
    .min(1)
    .max(1000),
})

const lost = z
  .array(id)
  .openapi({ description: 'Tasks that you no longer held: nothing was changed.' })

export const completedMany = z.object({ done: z.array(id), lost }).openapi('CompletedTasks')

export const endedAttempt = z
  .object({ state: z.enum(['queued', 'failed']), run_at: time.nullable() })
  .openapi('EndedAttempt')

export const failedMany = z
  .object({
    ended: z.array(z.object({ id, state: z.enum(['queued', 'failed']), run_at: time.nullable() })),
    lost,
  })
  .openapi('FailedTasks')

export const completeOne = z.strictObject({ claim, output: json.optional() })
export const failOne = z.strictObject({ claim, ...failure })
export const rejectOne = z.strictObject({
  claim,
  error: json.optional(),
  delay: duration.optional(),
})
export const killOne = z.strictObject({
  claim: claim
    .optional()
    .openapi({ description: 'The claim of the executor. Operators leave it out.' }),
  error: json.optional(),
})
export const rescheduleOne = z.strictObject({
  claim,
  run_at: givenTime,
  payload: json.optional(),
})
export const releaseOne = z.strictObject({ claim })
export const progressOne = z.strictObject({ claim, progress: json })

const level = z.string().min(1).max(20).default('info')
const message = z.string()

export const logOne = z.union([
  z.strictObject({ claim, message, level }),
  z.strictObject({
    claim,
    lines: z
      .array(z.strictObject({ message, level, at: givenTime.optional() }))
      .min(1)
      .max(1000),
  }),
])
