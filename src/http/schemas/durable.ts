import { z } from '@hono/zod-openapi'
import { duration, id, json, time } from './common.ts'
import { integer, state } from './task.ts'

export const step = z
  .object({
    name: z.string(),
    kind: z.enum(['step', 'delay', 'signal', 'child', 'version']),
    state: z.enum(['open', 'retrying', 'done', 'failed']),
    attempt: integer,
    child: id.nullable().openapi({ description: 'The task that it started.' }),
    signal: id.nullable().openapi({ description: 'The signal that it received.' }),
    is_detached: z.boolean(),
    until: time.nullable().openapi({ description: 'When a delay or a wait is over.' }),
    started_at: time.nullable(),
    finished_at: time.nullable(),
    output: json,
    error: json,
  })
  .openapi('Step')

export const familyMember = z
  .object({
    id,
    parent: id.nullable(),
    step: z.string().nullable().openapi({ description: 'The step of its parent.' }),
    depth: z.int(),
    is_detached: z.boolean(),
    state,
    queue: z.string().nullable().openapi({ description: 'Null when the task is no longer kept.' }),
    handler: z.string().nullable(),
    attempt: integer.nullable(),
    waits: json,
    run_at: time.nullable(),
    created_at: time.nullable(),
    started_at: time.nullable(),
    finished_at: time.nullable(),
  })
  .openapi('FamilyMember')

export const dependency = familyMember
  .omit({ parent: true, step: true, is_detached: true })
  .extend({
    after: z.array(id).openapi({ description: 'Those of `items` that it still waits for.' }),
  })
  .openapi('Dependency')

export const dependencies = z
  .object({
    items: z.array(dependency),
    is_complete: z.boolean().openapi({ description: 'False when there are more than `limit`.' }),
  })
  .openapi('Dependencies')

export const family = z
  .object({
    items: z.array(familyMember),
    is_complete: z.boolean().openapi({ description: 'False when there are more than `limit`.' }),
  })
  .openapi('Family')

const signalShape = {
  name: z.string().min(1),
  payload: json.optional(),
}

export const newSignal = z.strictObject(signalShape).openapi('NewSignal')

export const newKeySignal = z
  .strictObject({
    queue: z.string().min(1),
    key: z.string().min(1),
    ...signalShape,
    keep: duration.optional().openapi({
      description: 'How long it is kept if no task has the key; by default 7 days.',
    }),
  })
  .openapi('NewKeySignal')

export const sentSignal = z.object({ id }).openapi('SentSignal')

export const pendingSignal = z
  .object({ id, name: z.string(), sent_at: time, sent_by: z.string(), payload: json })
  .openapi('PendingSignal')
