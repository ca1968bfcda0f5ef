import { randomUUID } from 'node:crypto'
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { Problem, problemBody } from './answers/problem.ts'
import { dress, respondWithProblem } from './answers/respond.ts'

/**
 * Lets a server refuse in our form what its parser could not read. Such requests never come to the door:
 * Node would answer them by itself, with an empty body.
 */
export function refuseUnread(server: Server): void {
  const underWay = new WeakMap<Duplex, Set<ServerResponse>>()
  server.on('request', ({ socket }, answer) => {
    const answers = underWay.get(socket) ?? new Set()
    underWay.set(socket, answers.add(answer))
    answer.once('close', () => answers.delete(answer))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // In the midst of an answer, words would be taken for a part of it.
    const isAnswering = [...(underWay.get(socket) ?? [])].some(({ headersSent }) => headersSent)
    if (isAnswering || !socket.writable || error.code === 'ECONNRESET') socket.destroy()
    else socket.end(inBytes(problemOfParser(error.code)), () => socket.destroy())
  })
}

function problemOfParser(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem(431, 'headers_too_large', 'the headers of the request are too large', {
        hint: 'The headers and the address together may have 16 kilobytes.',
      })
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem(413, 'body_too_large', 'the chunk extensions of the request are too large')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem(408, 'request_timeout', 'the request did not arrive in time')
    default:
      return new Problem(400, 'invalid_request', 'the request is not valid HTTP')
  }
}

function inBytes(problem: Problem): string {
  const requestId = randomUUID()
  const { status } = problem
  const body = JSON.stringify(problemBody(problem, requestId))
  const { headers } = dress(respondWithProblem(problem, requestId), {
    requestId,
    reply: new Headers({
      connection: 'close',
      'content-length': String(Buffer.byteLength(body)),
      date: new Date().toUTCString(),
    }),
  })
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n${body}`
}
