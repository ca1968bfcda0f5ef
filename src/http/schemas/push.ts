import { z } from '@hono/zod-openapi'
import { duration, time } from './common.ts'

const place = z.union([
  z.strictObject({ env: z.string().min(1) }),
  z.strictObject({ file: z.string().min(1) }),
  z.strictObject({ callback: z.string().min(1) }),
])

const secrets = z.array(place).min(1).max(5).openapi({
  description:
    'Where workers find the secrets that sign a delivery, the newest first. Never a secret itself.',
})

export const newPush = z
  .strictObject({
    url: z.string().max(2_000).openapi({ example: 'https://example.org/tasks' }),
    secrets,
    timeout: duration.optional().openapi({ description: '30 seconds by default.' }),
  })
  .openapi('NewPush')

export const push = z
  .object({
    queue: z.string(),
    url: z.string(),
    secrets,
    timeout: z.string(),
    set_by: z.string(),
    set_at: time,
  })
  .openapi('Push')
