/** Why a delivery failed. Kept as the task's error. */
export class PushError extends Error {
  override readonly name = 'PushError'
  readonly code: PushFault
  /** The HTTP status of the endpoint. */
  readonly status: number | undefined
  /** The kept part of its response. */
  readonly response: string | undefined

  constructor(
    code: PushFault,
    message: string,
    { status, response, cause }: { status?: number; response?: string; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.code = code
    this.status = status
    this.response = response
  }
}

/** Documented in docs/reference/errors.md. */
export type PushFault =
  | 'push_not_configured'
  | 'push_not_allowed'
  | 'push_secret_missing'
  | 'push_connection_failed'
  | 'push_timeout'
  | 'push_rejected'
  | 'push_unavailable'
  | 'push_response_too_large'
