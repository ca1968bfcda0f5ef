import { z } from '@hono/zod-openapi'
import { onTheWire } from '../answers/on-the-wire.ts'
import { wholeList } from '../answers/page-of.ts'
import type { HttpContext } from '../http-context.ts'
import type { Api } from '../routing/route.ts'
import { createdToken, newToken, revokedToken, token } from '../schemas/access.ts'
import { byId, listOf } from '../schemas/common.ts'

const tag = 'Access'

/** The tokens by which people and programs come in. */
export function register(api: Api, context: HttpContext): void {
  look(api, context)
  create(api, context)
  revoke(api, context)
}

function look(api: Api, { verbs, reads }: HttpContext): void {
  api.route(
    {
      method: 'get',
      path: '/tokens',
      scope: 'admin',
      tag,
      operationId: 'listTokens',
      summary: 'List all tokens, without their secrets',
      responses: { 200: { description: 'The oldest first', body: listOf(token) } },
    },
    async () => {
      const tokens = await verbs.listTokens(reads)
      return wholeList(tokens.map((row) => onTheWire(token, row)))
    },
  )
}

function create(api: Api, { tusk }: HttpContext): void {
  /** By the answers that they belong into: what is stored for an Idempotency-Key has none. */
  const secrets = new WeakMap<object, string>()
  api.route(
    {
      method: 'post',
      path: '/tokens',
      scope: 'admin',
      tag,
      operationId: 'createToken',
      summary: 'Create a token. Its secret is in this answer only.',
      body: newToken,
      responses: { 201: { description: 'The token', body: createdToken } },
      afterwards: async (_, answer) => {
        const secret = secrets.get(answer)
        if (secret === undefined) return answer
        return { ...answer, body: { ...(answer.body as object), token: secret } }
      },
    },
    async (call) => {
      const { name, scopes, expires_at } = call.body
      const expiresAt = expires_at == null ? null : new Date(expires_at)
      const created = await call.audited((on) =>
        tusk.tokens.create({ name, scopes, expiresAt }, { on }),
      )
      const answer = { status: 201 as const, body: { id: created.id } }
      secrets.set(answer, created.token)
      return answer
    },
  )
}

function revoke(api: Api, { tusk }: HttpContext): void {
  api.route(
    {
      method: 'delete',
      path: '/tokens/{id}',
      scope: 'admin',
      tag,
      operationId: 'revokeToken',
      summary: 'Revoke a token and pause the schedules set with it. Takes effect within 5 seconds.',
      params: byId,
      query: z.strictObject({
        keep_schedules: z.enum(['true', 'false']).optional().openapi({
          description:
            'Whether schedules that were set with it go on: for a token that another replaces.',
        }),
      }),
      responses: { 200: { description: 'Token revoked', body: revokedToken } },
    },
    async (call) => {
      const keepSchedules = call.query.keep_schedules === 'true'
      const paused = await call.audited((on) =>
        tusk.tokens.revoke(call.params.id, { on, keepSchedules }),
      )
      return { status: 200, body: { paused_schedules: paused } }
    },
  )
}
