import type { ErrorCode } from '../../lib/errors.ts'

/** What goes wrong at this door alone; everything else is refused by the engine. */
export type HttpCode =
  | 'not_found'
  | 'method_not_allowed'
  | 'malformed_json'
  | 'unsupported_media_type'
  | 'body_too_large'
  | 'headers_too_large'
  | 'request_timeout'
  | 'invalid_request'
  | 'unauthenticated'
  | 'missing_scope'
  | 'cross_site'
  | 'sql_over_http_off'
  | 'rate_limited'
  | 'precondition_failed'
  | 'request_in_progress'
  | 'idempotency_key_reused'
  | 'not_permitted'
  | 'statement_timeout'
  | 'try_again'
  | 'internal'

/** Where in a request something is wrong: `body.tasks.0.queue`. */
export interface Fault {
  readonly path: string
  readonly message: string
}

interface ProblemOptions {
  readonly hint?: string | undefined
  readonly errors?: readonly Fault[] | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly cause?: unknown
}

/** A refusal in the form of RFC 9457; throw it, and the door answers with it. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  readonly code: HttpCode | ErrorCode
  readonly hint: string | undefined
  readonly errors: readonly Fault[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: HttpCode | ErrorCode,
    detail: string,
    { hint, errors, headers = {}, cause }: ProblemOptions = {},
  ) {
    super(detail, { cause })
    this.status = status
    this.code = code
    this.hint = hint
    this.errors = errors
    this.headers = headers
  }
}

/** What was sent may be repeated in an answer, but a body of 1 MB must not be. */
const longestText = 2_000
const longestPath = 300

/** The one form in which errors leave; what is undefined is left out. */
export function problemBody(problem: Problem, requestId: string): object {
  const { status, code, message, hint, errors } = problem
  return {
    type: `https://pgtusk.dev/errors/${code}`,
    title: titleOf(code),
    status,
    code,
    detail: cut(message, longestText),
    hint: hint === undefined ? undefined : cut(hint, longestText),
    request_id: requestId,
    errors: errors?.map(({ path, message: what }) => ({
      path: cut(path, longestPath),
      message: cut(what, longestText),
    })),
  }
}

/** Never through the middle of a character. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
}

/** `task_not_found` is "Task not found". */
function titleOf(code: string): string {
  const words = code
    .replaceAll('_', ' ')
    .replace(/\b(json|sql|http)\b/g, (word) => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}
