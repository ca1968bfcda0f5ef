import { z } from '@hono/zod-openapi'

/** Why a task waits, or the first due task of a queue. */
export const waitReason = z
  .object({
    code: z.enum([
      'deadline_passed',
      'waiting',
      'not_due',
      'retrying',
      'queue_paused',
      'group_paused',
      'no_worker',
      'no_runner',
      'no_handler',
      'no_version',
      'queue_full',
      'group_full',
      'queue_rate_limited',
      'group_rate_limited',
      'workers_busy',
      'behind',
      'next',
    ]),
    message: z.string().openapi({ example: 'no worker serves queue mail' }),
    hint: z.string().nullable().openapi({ description: 'What to do.' }),
    data: z
      .record(z.string(), z.unknown())
      .openapi({ description: 'The values of the message, by name.' }),
  })
  .openapi('WaitReason')
