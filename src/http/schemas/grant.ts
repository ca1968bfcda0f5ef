import { z } from '@hono/zod-openapi'
import { time } from './common.ts'

const queue = z.string().min(1).openapi({
  description: 'A name, or a prefix followed by `*`.',
  example: 'acme:*',
})
const role = z.string().min(1).openapi({ description: 'A role of the database.', example: 'acme' })
const rights = z.array(z.enum(['enqueue', 'consume', 'operate']))

export const grant = z
  .object({
    queue,
    role,
    rights: rights.openapi({ description: 'If empty, the grant only keeps the queue closed.' }),
    granted_by: z.string(),
    granted_at: time,
    is_known: z.boolean().openapi({ description: 'Whether the role still exists.' }),
  })
  .openapi('Grant')

export const newGrant = z.strictObject({ queue, role, rights: rights.min(1) }).openapi('NewGrant')

export const revocation = z
  .strictObject({
    queue,
    role,
    rights: rights.min(1).optional().openapi({ description: 'All rights by default.' }),
  })
  .openapi('Revocation')

export const openedQueue = z.strictObject({ queue }).openapi('OpenedQueue')
