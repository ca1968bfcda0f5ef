import { z } from '@hono/zod-openapi'
import { time } from './common.ts'

export const info = z
  .object({
    version: z.string(),
    schema: z.string(),
    schema_version: z.string().openapi({ example: 'baseline' }),
    database: z.object({ version: z.string(), is_standby: z.boolean(), name: z.string() }),
    sql_over_http: z.boolean(),
    now: time,
  })
  .openapi('Info')

export const session = z
  .object({
    name: z.string(),
    scopes: z.array(z.string()),
    by: z.enum(['bearer', 'session', 'application', 'nobody']),
    expires_at: time.nullable(),
  })
  .openapi('Session')
