import http from 'node:http'
import https from 'node:https'
import { checkedLookup, type PushPermits, requirePermitted } from './permit.ts'
import { PushError } from './push-error.ts'

/** A request to an endpoint. */
export interface Delivery {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** The endpoint's response. Redirects are responses like any other, and are not followed. */
export interface Answered {
  readonly status: number
  readonly contentType: string
  readonly retryAfter: string | undefined
  readonly body: string
}

/** Sends requests over keep-alive connections. */
export class Sender {
  readonly #permits: PushPermits
  readonly #mostBytes: number
  readonly #agents = new Map<string, http.Agent>()

  constructor(permits: PushPermits, mostBytes: number) {
    this.#permits = permits
    this.#mostBytes = mostBytes
  }

  async send(delivery: Delivery): Promise<Answered> {
    const { url, headers, body, timeoutMs, signal } = delivery
    requirePermitted(url, this.#permits)
    const late = AbortSignal.timeout(timeoutMs)
    const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const request = (url.protocol === 'https:' ? https : http).request(url, {
        method: 'POST',
        agent: this.#agentOf(url),
        signal: AbortSignal.any([signal, late]),
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      })
      request.on('response', resolve)
      request.on('error', (error) => reject(failureOf(error, late, timeoutMs)))
      request.end(body)
    })
    try {
      return {
        status: answer.statusCode ?? 0,
        contentType: answer.headers['content-type'] ?? '',
        retryAfter: answer.headers['retry-after'],
        body: await this.#read(answer),
      }
    } catch (error) {
      throw failureOf(error, late, timeoutMs)
    }
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy()
    this.#agents.clear()
  }

  async #read(answer: http.IncomingMessage): Promise<string> {
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > this.#mostBytes) {
        answer.destroy()
        throw new PushError(
          'push_response_too_large',
          `the answer has more than ${this.#mostBytes} bytes`,
          { status: answer.statusCode ?? 0 },
        )
      }
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  }

  /** The lookup belongs to the agent, so every connection goes to an address that was checked. */
  #agentOf(url: URL): http.Agent {
    const known = this.#agents.get(url.origin)
    if (known !== undefined) return known
    const options = { keepAlive: true, lookup: checkedLookup(url, this.#permits) }
    const agent = url.protocol === 'https:' ? new https.Agent(options) : new http.Agent(options)
    this.#agents.set(url.origin, agent)
    return agent
  }
}

function failureOf(error: unknown, late: AbortSignal, timeoutMs: number): PushError {
  if (error instanceof PushError) return error
  if (late.aborted) {
    return new PushError('push_timeout', `no answer within ${timeoutMs} ms`, { cause: error })
  }
  const message = error instanceof Error ? error.message : String(error)
  return new PushError('push_connection_failed', `the delivery failed: ${message}`, {
    cause: error,
  })
}
