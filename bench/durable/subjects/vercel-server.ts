import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'

/** The output of `workflow build` for a route. */
export type Handler = (request: Request) => Promise<Response>

interface Serving {
  readonly port: number
  close(): Promise<void>
}

/** Stands in for the HTTP server of a framework. The world delivers the jobs of this process to it. */
export async function serveWorkflow(handlerOf: (name: string) => Handler): Promise<Serving> {
  const server = createServer((request, response) => {
    answer(request, response, handlerOf).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  handlerOf: (name: string) => Handler,
): Promise<void> {
  const name = /^\/\.well-known\/workflow\/v1\/(flow|step)(?:\?|$)/.exec(request.url ?? '')?.[1]
  if (name === undefined) {
    response.writeHead(404).end()
    return
  }
  const headers = Object.entries(request.headers).map(([key, value]) => [key, String(value)])
  const hasBody = request.method === 'POST'
  const given = new Request(`http://localhost${request.url}`, {
    method: request.method ?? 'GET',
    headers: Object.fromEntries(headers) as Record<string, string>,
    ...(hasBody ? { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' } : {}),
  } as RequestInit)
  const answered = await handlerOf(name)(given)
  response.writeHead(answered.status, Object.fromEntries(answered.headers))
  response.end(Buffer.from(await answered.arrayBuffer()))
}
