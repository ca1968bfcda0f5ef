import { z } from '@hono/zod-openapi'
import { checkSchema } from '../../db/installed.ts'
import { Problem } from '../answers/problem.ts'
import type { HttpContext } from '../http-context.ts'
import type { Api } from '../routing/route.ts'

const ok = z.object({ status: z.string().openapi({ example: 'ok' }) }).openapi('Health')

/** Whether to leave the process alone, and whether to send it requests. */
export function register(api: Api, { reads, tusk }: HttpContext): void {
  api.route(
    {
      method: 'get',
      path: '/healthz',
      atRoot: true,
      scope: 'open',
      // A load balancer that gets 429 takes the server for dead.
      isUnlimited: true,
      tag: 'Health',
      operationId: 'checkHealth',
      summary: 'Check that the process answers',
      responses: { 200: { description: 'The process answers', body: ok } },
    },
    async () => ({ status: 200, body: { status: 'ok' } }),
  )

  api.route(
    {
      method: 'get',
      path: '/readyz',
      atRoot: true,
      scope: 'open',
      // A load balancer that gets 429 takes the server for dead.
      isUnlimited: true,
      tag: 'Health',
      operationId: 'checkReadiness',
      summary: 'Check that the database answers and has the schema that this version needs',
      responses: { 200: { description: 'Ready for requests', body: ok } },
    },
    async () => {
      const state = await checkSchema(reads, tusk.schema)
      if (state === 'ready') return { status: 200, body: { status: 'ok' } }
      throw new Problem(
        503,
        state === 'missing' ? 'schema_missing' : 'schema_behind',
        state === 'missing'
          ? 'Tusk is not installed in this schema'
          : 'the schema is of an older version',
        { hint: 'Run `npx tusk migrate up`.' },
      )
    },
  )
}
