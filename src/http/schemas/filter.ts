import { z } from '@hono/zod-openapi'
import { givenTime, id } from './common.ts'
import { kind, reason, state } from './task.ts'

/** Which tasks are meant: all that match everything given. */
export const filterShape = {
  queue: z.string().optional(),
  state: z.array(state).max(100).optional(),
  key: z.string().optional(),
  handler: z.string().optional(),
  kind: kind.optional(),
  tag: z.string().optional(),
  group: z.string().optional(),
  parent: id.optional(),
  reason: reason.optional(),
  worker: z.string().optional(),
  host: z.string().optional(),
  error: z.string().optional().openapi({ description: 'The fingerprint of a group of errors.' }),
  code: z.string().optional().openapi({ description: 'The code of the error.' }),
  text: z
    .string()
    .optional()
    .openapi({ description: 'A text in the payload, the SQL or the error message.' }),
  submitted_by: z.string().optional(),
  created_after: givenTime.optional(),
  created_before: givenTime.optional(),
  run_after: givenTime.optional(),
  run_before: givenTime.optional(),
  finished_after: givenTime.optional(),
  finished_before: givenTime.optional(),
  ids: z.array(id).max(1000).optional(),
}

export const filter = z.strictObject(filterShape).openapi('TaskFilter')
