import type { problemSchema } from '../http/schemas/problem.ts'
import { apiPath } from './lib/base.ts'
import { type Query, toSearch } from './lib/query.ts'
import type { Read } from './model.ts'

/** What the server says about a request that it refused (RFC 9457); of what never reached it, less. */
type Problem = Partial<Read<typeof problemSchema>>

/** One property of the request that was wrong. */
export type FieldProblem = NonNullable<Problem['errors']>[number]

/** A request that failed; the message is for people. Status 0: no server answered. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly hint: string | undefined
  readonly requestId: string | undefined
  readonly fields: readonly FieldProblem[]

  constructor(problem: Problem, options: { readonly cause?: unknown } = {}) {
    const { status = 0 } = problem
    super(problem.detail ?? problem.title ?? `The server answered ${status}`, options)
    this.status = status
    this.code = problem.code ?? 'unknown'
    this.hint = problem.hint
    this.requestId = problem.request_id
    this.fields = problem.errors ?? []
  }
}

export interface RequestOptions {
  readonly query?: Query
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer with what its headers said about it. */
export interface Answer<T> {
  readonly data: T
  readonly status: number
  /** For If-Match on a later change. */
  readonly etag: string | null
}

type SignedOutListener = () => void
let tellSignedOut: SignedOutListener = () => {}

/** Called when the server no longer knows us. */
export function onSignedOut(listener: SignedOutListener): void {
  tellSignedOut = listener
}

export const api = {
  get: <T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> =>
    send<T>('GET', path, { query, signal }).then(({ data }) => data),
  post: <T = unknown>(path: string, body: unknown = {}): Promise<T> =>
    send<T>('POST', path, { body }).then(({ data }) => data),
  put: <T = unknown>(path: string, body: unknown, options: RequestOptions = {}): Promise<T> =>
    send<T>('PUT', path, { ...options, body }).then(({ data }) => data),
  patch: <T = unknown>(path: string, body: unknown, options: RequestOptions = {}): Promise<T> =>
    send<T>('PATCH', path, { ...options, body }).then(({ data }) => data),
  delete: <T = unknown>(path: string): Promise<T> =>
    send<T>('DELETE', path).then(({ data }) => data),
}

/** A request to /api/v1, with the header that no other site can send. */
export async function send<T>(
  method: string,
  path: string,
  { query = {}, body, signal, headers = {} }: RequestOptions = {},
): Promise<Answer<T>> {
  const response = await reach(apiPath(path) + toSearch(query), {
    method,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      'x-tusk-csrf': '1',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  })
  if (!response.ok) throw await problemOf(response)
  const text = await response.text()
  return {
    // The server checks what it sends against its own schemas; here its word is taken.
    data: (text === '' ? null : JSON.parse(text)) as T,
    status: response.status,
    etag: response.headers.get('etag'),
  }
}

/** The error for an answer that is none; signs out when the server asks who we are. */
export async function problemOf(response: Response): Promise<ApiError> {
  const problem: Problem = await response.json().catch(() => ({}))
  if (response.status === 401) tellSignedOut()
  return new ApiError({ ...problem, status: response.status })
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError(unreachable, { cause: error })
  }
}

const unreachable: Problem = {
  code: 'unreachable',
  detail: 'The server does not answer.',
  hint: 'Check that the server is running. The page tries again by itself.',
}
