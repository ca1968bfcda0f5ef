import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** What is known of a request before it is parsed. */
export interface Exchange {
  readonly requestId: string
  readonly request: Request
  readonly url: URL
  /** The address it comes from; null if unknown. */
  readonly address: string | null
  /** As people outside see this server: `https://tusk.example`. */
  readonly origin: string
  /** Aborted when the client has disconnected, or when the server closes. */
  readonly signal: AbortSignal
  /** The route that answers, once it is found: `/api/v1/tasks/{id}`. */
  route: string | undefined
  /** Headers of the answer, whatever it will be. */
  readonly reply: Headers
  /** The W3C trace context that tasks of this request carry on. */
  readonly traceparent: string | undefined
  /** Ends the connection at once; for streams whose client does not read. */
  hangUp(): void
}

export interface ExchangeOptions {
  readonly incoming: IncomingMessage | undefined
  readonly trustProxy: boolean
  readonly closing: AbortSignal
  readonly publicOrigin: string | undefined
}

const saneId = /^[\w.:-]{1,100}$/

export function openExchange(request: Request, options: ExchangeOptions): Exchange {
  const url = new URL(request.url)
  const given = request.headers.get('x-request-id')
  let signal: AbortSignal | undefined
  return {
    requestId: given !== null && saneId.test(given) ? given : randomUUID(),
    request,
    url,
    address: addressOf(request, options),
    origin: options.publicOrigin ?? originOf(request, url, options.trustProxy),
    // Made when asked for: most requests end before a client could disconnect.
    get signal() {
      signal ??= AbortSignal.any([request.signal, options.closing])
      return signal
    },
    route: undefined,
    reply: new Headers(),
    traceparent: traceparentOf(request),
    hangUp: () => options.incoming?.socket.destroy(),
  }
}

/** Behind one proxy that is trusted, the last address is the one which that proxy saw. */
function addressOf(request: Request, { incoming, trustProxy }: ExchangeOptions): string | null {
  const forwarded = trustProxy ? lastOf(request.headers.get('x-forwarded-for')) : undefined
  return forwarded ?? incoming?.socket.remoteAddress ?? null
}

function originOf(request: Request, url: URL, trustProxy: boolean): string {
  if (!trustProxy) return url.origin
  const protocol = lastOf(request.headers.get('x-forwarded-proto')) ?? url.protocol.slice(0, -1)
  const host = lastOf(request.headers.get('x-forwarded-host')) ?? url.host
  return `${protocol}://${host}`
}

function lastOf(list: string | null): string | undefined {
  return list?.split(',').at(-1)?.trim() || undefined
}

const wellFormed = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

function traceparentOf(request: Request): string | undefined {
  const given = request.headers.get('traceparent')
  return given !== null && wellFormed.test(given) ? given : undefined
}
