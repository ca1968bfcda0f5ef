import { inWords } from '../../lib/interval.ts'

/** The limits of a group, and how much of them is in use. */
export interface GroupStats {
  readonly group: string
  readonly running: number
  readonly max_running: number | null
  readonly gap: string | null
  readonly gap_from: 'start' | 'end'
  readonly rate: number | null
  readonly rate_window: string | null
  readonly rate_left: number | null
  readonly weight: number
  readonly paused_at: string | null
  readonly next_start_at: string | null
  /** Tasks that wait for it; the count stops at 10,000. */
  readonly parked: number
}

/** The address of a group in the API. */
export function groupPath(name: string, deed = ''): string {
  return `/groups/${encodeURIComponent(name)}${deed}`
}

/** "10 per 1 minute", or nothing. */
export function rateInWords({ rate, rate_window: within }: GroupStats): string | null {
  return rate === null ? null : `${rate} per ${inWords(within ?? '1 second')}`
}
