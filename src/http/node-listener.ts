import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Problem } from './answers/problem.ts'
import { dress, respondWithProblem } from './answers/respond.ts'

/** Serves requests of a server of `node:http`. */
export type NodeListener = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

/** The door for node:http, and for everything that is built on it. */
export function nodeListener(
  answer: (request: Request, incoming: IncomingMessage) => Promise<Response>,
): NodeListener {
  const listen = getRequestListener(
    (request, env) => answer(request, (env as { incoming: IncomingMessage }).incoming),
    // The globals of the application are its own.
    { overrideGlobalObjects: false, errorHandler: unreadable },
  )
  return (incoming, outgoing) => {
    nameHost(incoming)
    giveBackBody(incoming)
    return listen(incoming, outgoing)
  }
}

/** HTTP/1.0 needs no Host, and those who ask whether a server is well, such as HAProxy, send none. */
function nameHost({ httpVersion, headers }: IncomingMessage): void {
  if (httpVersion === '1.0') headers.host ??= 'localhost'
}

interface Parsed {
  body?: unknown
  rawBody?: Buffer
}

/** A framework that has read the body leaves us nothing to read, but what it made of it. */
function giveBackBody(incoming: IncomingMessage & Parsed): void {
  if (!incoming.readableEnded || incoming.body === undefined || incoming.rawBody !== undefined)
    return
  const { body } = incoming
  const isAsSent = typeof body === 'string' || body instanceof Uint8Array
  incoming.rawBody = Buffer.from(isAsSent ? body : JSON.stringify(body))
}

function unreadable(cause: unknown): Response {
  const problem = new Problem(400, 'invalid_request', 'the request is not valid HTTP', {
    cause,
  })
  const requestId = randomUUID()
  return dress(respondWithProblem(problem, requestId), { requestId, reply: new Headers() })
}
