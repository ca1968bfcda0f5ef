import { z } from '@hono/zod-openapi'
import type { Caller } from '../gate/caller.ts'
import type { Gate } from '../gate/gate.ts'
import { endedCookie, sessionCookie } from '../gate/session-cookie.ts'
import type { HttpContext } from '../http-context.ts'
import type { Api } from '../routing/route.ts'
import { session } from '../schemas/server.ts'

/** Browser sessions, and who the caller is. */
export function register(api: Api, { basePath }: HttpContext, gate: Gate): void {
  api.route(
    {
      method: 'post',
      path: '/session',
      scope: 'open',
      tag: 'Session',
      operationId: 'openSession',
      summary: 'Open a session: exchange a token for a cookie that scripts cannot read',
      body: z.strictObject({ token: z.string() }),
      responses: { 200: { description: 'The cookie tusk_session is set', body: session } },
    },
    async (call) => {
      const { caller, secret } = await gate.openSession(call, call.body.token)
      return {
        status: 200,
        headers: { 'set-cookie': sessionCookie(call, basePath, secret) },
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
      operationId: 'getSession',
      summary: 'Show who you are and what you may do',
      responses: { 200: { description: 'Your name and scopes', body: session } },
    },
    async ({ caller }) => ({ status: 200, body: shown(caller) }),
  )

  api.route(
    {
      method: 'delete',
      path: '/session',
      scope: 'any',
      tag: 'Session',
      operationId: 'closeSession',
      summary: 'End the session and remove the cookie',
      responses: { 204: { description: 'Session ended' } },
    },
    async (call) => {
      await gate.closeSession(call, call.caller)
      return { status: 204, headers: { 'set-cookie': endedCookie(call, basePath) } }
    },
  )
}

function shown({ name, scopes, by, expiresAt }: Caller) {
  return { name, scopes, by, expires_at: expiresAt }
}
