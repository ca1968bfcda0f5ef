/** A transaction may wait for its handler for so many leases, and for a minute in any case. */
const leasesPerPause = 4
const shortestPauseMs = 60_000

export interface SessionTimes {
  readonly leaseMs: number
  readonly transactionIdleMs: number
}

export function usualTransactionIdleMs(leaseMs: number): number {
  return Math.max(shortestPauseMs, leasesPerPause * leaseMs)
}

/**
 * Settings that end a session of a worker whose host has vanished without a word, so that it does not keep rows
 * locked until TCP gives up, which takes hours. The server notices within about a lease; after that the worker
 * could not commit anyway. A process that is frozen still has a host that answers: for that there is a limit to how
 * long a transaction may be idle.
 */
export function sessionSettings({
  leaseMs,
  transactionIdleMs,
}: SessionTimes): Readonly<Record<string, string>> {
  const seconds = (share: number) => String(Math.max(1, Math.round(leaseMs / share / 1_000)))
  return {
    idle_in_transaction_session_timeout: String(transactionIdleMs),
    tcp_keepalives_idle: seconds(3),
    tcp_keepalives_interval: seconds(6),
    tcp_keepalives_count: '3',
    tcp_user_timeout: String(leaseMs),
    // Some systems lack it.
    client_connection_check_interval: String(Math.max(1_000, Math.round(leaseMs / 3))),
  }
}
