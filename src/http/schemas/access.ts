import { z } from '@hono/zod-openapi'
import { givenTime, id, json, time } from './common.ts'

export const auditEntry = z
  .object({
    id,
    at: time,
    actor: z.string(),
    door: z.string().nullable(),
    token: id.nullable(),
    token_name: z.string().nullable(),
    address: z.string().nullable(),
    request: z.string().nullable(),
    login: z.string().openapi({ description: 'The role that was logged in to Postgres.' }),
    action: z.string(),
    object: z.string().openapi({ example: 'queue mail' }),
    before: json,
    after: json,
  })
  .openapi('AuditEntry')

const scopes = z
  .array(z.string().min(1))
  .min(1)
  .max(1000)
  .openapi({ example: ['read', 'enqueue:mail'] })

export const newToken = z
  .strictObject({ name: z.string().min(1), scopes, expires_at: givenTime.nullable().optional() })
  .openapi('NewToken')

export const createdToken = z
  .object({
    id,
    token: z.string().optional().openapi({
      description:
        'The secret, shown once: sending the same Idempotency-Key again does not show it again.',
      example: 'tusk_…',
    }),
  })
  .openapi('CreatedToken')

export const revokedToken = z
  .object({
    paused_schedules: z.int().openapi({
      description: 'How many schedules were paused, because they were set with this token.',
    }),
  })
  .openapi('RevokedToken')

export const token = z
  .object({
    id,
    name: z.string(),
    prefix: z.string(),
    scopes: z.array(z.string()),
    state: z.enum(['alive', 'expired', 'revoked']),
    created_at: time,
    created_by: z.string(),
    expires_at: time.nullable(),
    revoked_at: time.nullable(),
    last_used_at: time.nullable(),
  })
  .openapi('Token')
