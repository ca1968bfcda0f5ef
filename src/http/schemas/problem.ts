import { z } from '@hono/zod-openapi'

/** RFC 9457, with a stable code. */
export const problemSchema = z
  .object({
    type: z.string().openapi({ format: 'uri' }),
    title: z.string(),
    status: z.int(),
    code: z.string().openapi({ description: 'A stable code for programs.' }),
    detail: z.string(),
    hint: z.string().optional(),
    request_id: z.string(),
    errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .openapi({ description: 'What is wrong with the request, and where.' }),
  })
  .openapi('Problem')
