import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { TuskError } from '../lib/errors.ts'
import { requireOptions } from '../lib/require-known.ts'
import { createHttp, type Http } from './app.ts'
import { type HttpOptions, httpOptions } from './options.ts'
import { refuseUnread } from './unread.ts'

/** How the server listens. */
export interface ServeHttpOptions extends HttpOptions {
  /** By default 127.0.0.1. Any other than loopback needs a token to exist. */
  readonly host?: string | undefined
  /** By default 8787; 0 for any free port. */
  readonly port?: number | undefined
}

/** A server that listens. */
export interface HttpServer {
  /** Where it is: `http://127.0.0.1:8787`, with the base path. */
  readonly url: string
  readonly port: number
  readonly http: Http
  /** Takes nothing new, ends what waits and streams, and lets the rest finish within 5 seconds. */
  close(): Promise<void>
}

export const defaultPort = 8787

/**
 * Serves the HTTP door by itself.
 *
 * @example
 * ```ts
 * const server = await serveHttp({ tusk: await Tusk.open(), port: 8787 })
 * ```
 */
export async function serveHttp(options: ServeHttpOptions): Promise<HttpServer> {
  requireOptions('serveHttp()', options, { ...httpOptions, host: true, port: true })
  const { host = '127.0.0.1', port = defaultPort, ...rest } = options
  if (!isLoopback(host)) await requireSomeToken(options, host)
  const http = await createHttp(rest)
  // A request without a Host comes to the door, too, so that it is refused in our form.
  const server = createServer({ requireHostHeader: false }, (incoming, outgoing) => {
    void http.listener(incoming, outgoing)
  })
  refuseUnread(server)
  server.headersTimeout = 15_000
  // Longer than that of the proxies in front, so that none of them meets a connection that just closed.
  server.keepAliveTimeout = 65_000
  try {
    await listen(server, host, port)
  } catch (error) {
    await http.close()
    throw cannotListen(host, port, error)
  }
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}${options.basePath ?? ''}`,
    port: taken,
    http,
    close: () => close(server, http),
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

async function close(server: Server, http: Http): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  await http.close()
  server.closeIdleConnections()
  const last = setTimeout(() => server.closeAllConnections(), 1_000)
  await closed
  clearTimeout(last)
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** Callers from outside would need a token, and there is none: the operator has forgotten a step. */
async function requireSomeToken(options: ServeHttpOptions, host: string): Promise<void> {
  const { tusk, token, authenticate } = options
  if (token !== undefined || authenticate !== undefined) return
  if (await tusk.tokens.exist()) return
  throw new TuskError('invalid_argument', `cannot listen on ${host} while there is no token`, {
    hint: 'Create a token with `tusk token create`, or listen on 127.0.0.1.',
  })
}

function cannotListen(host: string, port: number, cause: unknown): unknown {
  const { code } = cause as { code?: string }
  const why: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} of ${host} is in use`,
    EACCES: `port ${port} needs rights that this process does not have`,
    EADDRNOTAVAIL: `${host} is not an address of this machine`,
    ENOTFOUND: `${host} is not an address of this machine`,
  }
  const message = why[code ?? '']
  if (message === undefined) return cause
  return new TuskError('invalid_argument', message, {
    hint: 'Choose another with --port or --http-host. Port 0 picks any free port.',
    cause,
  })
}
