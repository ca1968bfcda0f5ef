/**
 * SQLSTATEs of a lost connection: shut down, crashed, starting up, idle for too long, a primary that became a standby,
 * too many connections.
 */
const goneStates = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '25P04', '25006', '53300'])
/** The same as Tusk's own error codes. */
const goneCodes = new Set(['database_unreachable', 'database_read_only'])
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
])
/** Errors that pg reports only in words. */
const saidByDriver =
  /connection terminated|not queryable|read timeout|timeout expired|connection ended/i

/** Whether an error means that the connection is unusable, so that only a new one can help. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (typeof code === 'string') {
    return (
      goneStates.has(code) || goneCodes.has(code) || code.startsWith('08') || networkCodes.has(code)
    )
  }
  return saidByDriver.test(error.message)
}

/** The server accepts no writes. A demoted primary keeps its old connections open, and all of them are useless. */
export function isReadOnlyError(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === '25006'
}
