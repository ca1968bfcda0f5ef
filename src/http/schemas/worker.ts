import { z } from '@hono/zod-openapi'
import { json, time } from './common.ts'
import { task } from './task.ts'

export const worker = z
  .object({
    id: z.string(),
    host: z.string(),
    pid: z.int().nullable().openapi({ description: 'Null for executors over HTTP.' }),
    version: z.string(),
    door: z.enum(['sql', 'http']).openapi({
      description: 'How it claims: over a database connection of its own, or over HTTP.',
    }),
    queues: z.array(z.string()),
    kinds: z
      .array(z.string())
      .nullable()
      .openapi({ description: 'The kinds that it runs; null for all.' }),
    handlers: z
      .array(z.string().nullable())
      .nullable()
      .openapi({ description: 'The handlers that it has; null for all.' }),
    versions_from: z
      .array(z.int())
      .nullable()
      .openapi({ description: 'The first version that each handler accepts.' }),
    versions_to: z
      .array(z.int())
      .nullable()
      .openapi({ description: 'The last version that each handler accepts.' }),
    slots: z.int(),
    started_at: time,
    beat_at: time,
    silent_for: z.string(),
    draining_at: time.nullable(),
    state: json,
    claims: z.int(),
    tasks: z.int().openapi({ description: 'How many tasks it holds.' }),
    asleep: z.boolean(),
  })
  .openapi('Worker')

export const workerAtWork = z
  .object({
    ...worker.shape,
    running: z.array(task).openapi({ description: 'The first hundred tasks that it holds.' }),
  })
  .openapi('WorkerAtWork')

const strategy = z.enum(['all', 'skip-locked', 'advisory', 'lease'])

export const chore = z
  .object({
    chore: z.string(),
    strategy,
    every: z.string(),
    timeout: z.string(),
    is_led: z.boolean(),
    last_run_at: time.nullable(),
    last_ok_at: time.nullable(),
    runs: z.int(),
    processed: z.int(),
    errors: z.int(),
    last_error_at: time.nullable(),
    last_error: json,
    average_ms: z.number().nullable(),
    longest_ms: z.number().nullable(),
    alert: z
      .string()
      .nullable()
      .openapi({ description: 'orphaned, stalled or flapping; null if nothing is wrong.' }),
  })
  .openapi('Chore')

export const leader = z
  .object({
    chore: z.string(),
    strategy,
    worker: z.string(),
    host: z.string().nullable(),
    pid: z.int().nullable(),
    backend: z.int().nullable(),
    term: z.string().nullable(),
    acquired_at: time.nullable(),
    renewed_at: time.nullable(),
    expires_at: time.nullable(),
  })
  .openapi('Leader')
