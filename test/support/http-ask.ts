import type { Http } from '../../src/http/app.ts'
import { type Answered, type Contract, openContract } from './http-contract.ts'

export interface AskOptions {
  /** As JSON, unless it is a string or bytes. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export interface AskAnswer<Body> extends Answered {
  readonly body: Body
}

/** Whatever is in an answer: the contract was checked already. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape, which the contract has checked.
export type JsonBody = any

/** Asks the door like a client would. */
export interface Ask {
  send(method: string, path: string, options?: AskOptions): Promise<AskAnswer<JsonBody>>
  get(path: string, options?: AskOptions): Promise<AskAnswer<JsonBody>>
  post(path: string, body?: unknown, options?: AskOptions): Promise<AskAnswer<JsonBody>>
  patch(path: string, body?: unknown, options?: AskOptions): Promise<AskAnswer<JsonBody>>
  put(path: string, body?: unknown, options?: AskOptions): Promise<AskAnswer<JsonBody>>
  delete(path: string, options?: AskOptions): Promise<AskAnswer<JsonBody>>
  /** The same with another token; null is none. */
  as(token: string | null): Ask
}

/** The document is the same for all doors, and compiling it takes longer than most tests do. */
let contract: Contract | undefined

export async function openAsk(http: Http, token: string): Promise<Ask> {
  contract ??= openContract(await documentOf(http))
  return asking(http, token, contract)
}

/** The OpenAPI document of a door. */
export async function documentOf(http: Http): Promise<JsonBody> {
  const response = await http.fetch(new Request('http://tusk.test/api/v1/openapi.json'))
  return response.json()
}

function asking(http: Http, token: string | null, contract: Contract): Ask {
  const ask = async (method: string, path: string, options: AskOptions = {}) => {
    const response = await http.fetch(requestOf(method, path, token, options))
    const text = await response.text()
    const answer = {
      status: response.status,
      headers: response.headers,
      body: read(response, text),
    }
    contract(method, new URL(fullPath(path), 'http://tusk.test').pathname, answer)
    return answer
  }
  return {
    send: ask,
    get: (path: string, options?: AskOptions) => ask('GET', path, options),
    post: (path: string, body?: unknown, options?: AskOptions) =>
      ask('POST', path, { ...options, body }),
    patch: (path: string, body?: unknown, options?: AskOptions) =>
      ask('PATCH', path, { ...options, body }),
    put: (path: string, body?: unknown, options?: AskOptions) =>
      ask('PUT', path, { ...options, body }),
    delete: (path: string, options?: AskOptions) => ask('DELETE', path, options),
    as: (other: string | null) => asking(http, other, contract),
  }
}

function requestOf(
  method: string,
  path: string,
  token: string | null,
  options: AskOptions,
): Request {
  const { body, headers = {}, signal } = options
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  return new Request(`http://tusk.test${fullPath(path)}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  })
}

/** Paths are below the API unless they say that they are not: `~/healthz`. */
function fullPath(path: string): string {
  return path.startsWith('~') ? path.slice(1) : `/api/v1${path}`
}

function read(response: Response, text: string): unknown {
  if (text === '') return undefined
  return response.headers.get('content-type')?.includes('json') === true ? JSON.parse(text) : text
}
