import type { group } from '../../../http/schemas/queue.ts'
import { inWords } from '../../lib/interval.ts'
import type { Read } from '../../model.ts'

/** The limits of a group, and how much of them is in use. */
export type GroupStats = Read<typeof group>

/** The address of a group in the API. */
export function groupPath(name: string, deed = ''): string {
  return `/groups/${encodeURIComponent(name)}${deed}`
}

/** "10 per 1 minute", or nothing. */
export function rateInWords({ rate, rate_window: within }: GroupStats): string | null {
  return rate === null ? null : `${rate} per ${inWords(within ?? '1 second')}`
}
