import pg from 'pg'
import type { Session } from './session/session.ts'
import type { SqlRequest } from './sql-request.ts'

/** The longest timeout that the server accepts. A longer one is enforced by the worker's clock. */
const longestTimeoutMs = 2_147_483_647

/**
 * The statements that apply a run's settings to its transaction (`isLocal`) or its session. The role comes first, so
 * that a task cannot set what its role may not set.
 */
export function buildPreamble(
  { login }: Session,
  { settings, role, msLeft }: SqlRequest,
  isLocal: boolean,
): string[] {
  const leftMs = msLeft()
  const isOther = role !== undefined && role !== login
  const all: (readonly [string, string])[] = isOther ? [['role', role], ...settings] : [...settings]
  if (leftMs !== null) all.push(['statement_timeout', String(timeoutOf(leftMs))])
  if (all.length === 0) return []
  const calls = all.map(
    ([name, value]) =>
      `pg_catalog.set_config(${pg.escapeLiteral(name)},${pg.escapeLiteral(value)},${isLocal})`,
  )
  return [`select ${calls.join(',')}`]
}

function timeoutOf(msLeft: number): number {
  return Math.min(Math.max(Math.ceil(msLeft), 1), longestTimeoutMs)
}
