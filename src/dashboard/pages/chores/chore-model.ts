import type { Json } from '../../model.ts'

/** How a chore goes, and what is wrong with it. */
export interface Chore {
  readonly chore: string
  readonly strategy: string
  readonly every?: string
  readonly timeout?: string
  readonly is_led: boolean
  readonly last_run_at: string | null
  readonly last_ok_at: string | null
  readonly runs: number | string
  readonly processed: number | string
  readonly errors: number | string
  readonly last_error_at: string | null
  readonly last_error: Json
  readonly average_ms: number | null
  readonly longest_ms: number | null
  readonly alert: string | null
}

/** Who does a chore now. */
export interface Leader {
  readonly chore: string
  readonly strategy: string
  readonly worker: string | null
  readonly host: string | null
  readonly pid: number | null
  readonly term: string | null
  readonly acquired_at: string | null
  readonly renewed_at: string | null
  readonly expires_at: string | null
}

/** What a strategy means, for the hover. */
export const strategies: Readonly<Record<string, string>> = {
  lease: 'One worker leads it, by a lease in the database.',
  advisory: 'One worker leads it, by an advisory lock.',
  all: 'Every worker does it.',
  'skip-locked': 'Every worker does it; they share the work by row locks.',
}

/** The message of an error, whatever shape it has. */
export function messageOf(error: Json): string | null {
  if (error === null || error === undefined) return null
  if (typeof error === 'object' && !Array.isArray(error) && 'message' in error) {
    return String(error['message'])
  }
  return typeof error === 'string' ? error : JSON.stringify(error)
}
