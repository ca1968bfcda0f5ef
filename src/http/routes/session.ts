import { z } from '@hono/zod-openapi'
import type { Caller } from '../gate/caller.ts'
import type { Gate } from '../gate/gate.ts'
import { endSession, openSession } from '../gate/session-cookie.ts'
import type { HttpContext } from '../http-context.ts'
import type { Api } from '../routing/route.ts'
import { time } from '../schemas/common.ts'

const session = z
  .object({
    name: z.string(),
    scopes: z.array(z.string()),
    by: z.enum(['bearer', 'session', 'application', 'nobody']),
    expires_at: time.nullable(),
  })
  .openapi('Session')

/** Letting browsers in, and telling anybody who they are. */
export function register(api: Api, { basePath }: HttpContext, gate: Gate): void {
  api.route(
    {
      method: 'post',
      path: '/session',
      scope: 'open',
      tag: 'Session',
      summary: 'Trade a token for a cookie that scripts cannot read',
      body: z.strictObject({ token: z.string() }),
      responses: { 200: { description: 'The cookie tusk_session is set', body: session } },
    },
    async (call) => {
      const caller = await gate.recognize(call, call.body.token)
      return {
        status: 200,
        headers: { 'set-cookie': openSession(call, basePath, call.body.token) },
        body: shown(caller),
      }
    },
  )

  api.route(
    {
      method: 'get',
      path: '/session',
      scope: 'any',
      tag: 'Session',
      summary: 'Who you are, and what you may do',
      responses: { 200: { description: 'You', body: session } },
    },
    async ({ caller }) => ({ status: 200, body: shown(caller) }),
  )

  api.route(
    {
      method: 'delete',
      path: '/session',
      scope: 'any',
      tag: 'Session',
      summary: 'Forget the cookie',
      responses: { 204: { description: 'It is gone' } },
    },
    async (call) => ({ status: 204, headers: { 'set-cookie': endSession(call, basePath) } }),
  )
}

function shown({ name, scopes, by, expiresAt }: Caller) {
  return { name, scopes, by, expires_at: expiresAt }
}
