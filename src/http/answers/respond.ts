import type { Exchange } from '../requests/exchange.ts'
import type { Answer } from '../routing/call.ts'
import type { Problem } from './problem.ts'
import { problemBody } from './problem.ts'

export function respond({ status, body, response, headers = {} }: Answer): Response {
  if (response !== undefined) return response
  if (body === undefined) return new Response(null, { status, headers })
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

export function respondWithProblem(problem: Problem, requestId: string): Response {
  return new Response(JSON.stringify(problemBody(problem, requestId)), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json', ...problem.headers },
  })
}

const always: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** What every answer says. What a route has said about itself stays. */
export function dress(
  response: Response,
  { requestId, reply }: Pick<Exchange, 'requestId' | 'reply'>,
): Response {
  const { headers } = response
  for (const [name, value] of Object.entries(always)) {
    if (!headers.has(name)) headers.set(name, value)
  }
  for (const [name, value] of reply) headers.set(name, value)
  headers.set('x-request-id', requestId)
  return response
}
