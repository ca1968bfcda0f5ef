import { z } from '@hono/zod-openapi'
import { givenTime, id, json, time } from './common.ts'
import { filter } from './filter.ts'

const action = z.enum(['cancel', 'kill', 'retry', 'delete', 'move', 'amend'])

export const newOperation = z
  .strictObject({
    action,
    filter,
    run_at: givenTime.optional().openapi({ description: 'For retry and move.' }),
    changes: z
      .record(z.string(), z.unknown())
      .optional()
      .openapi({ description: 'For amend: anything but the payload.' }),
    dry_run: z.boolean().optional().openapi({ description: 'Only count the matching tasks.' }),
  })
  .openapi('NewOperation')

export const operation = z
  .object({
    id,
    action,
    filter: json,
    arguments: json,
    state: z.enum(['running', 'done', 'cancelled', 'failed']),
    total: z.int().nullable().openapi({
      description:
        'How many tasks matched when it began. Null if the filter names states that change only by a verb, such as failed.',
    }),
    matched: z.int().openapi({ description: 'How many tasks were found so far.' }),
    done: z.int(),
    refused: z.int(),
    progress: z.number().openapi({ description: 'From 0 to 1.' }),
    error: z
      .string()
      .nullable()
      .openapi({ description: 'Why it failed, or why the last task could not be changed.' }),
    created_by: z.string(),
    created_at: time,
    advanced_at: time,
    ended_at: time.nullable(),
  })
  .openapi('Operation')
