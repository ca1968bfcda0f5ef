import type { chore, leader } from '../../../http/schemas/worker.ts'
import type { Json, Read } from '../../model.ts'

/** How a chore goes, and what is wrong with it. */
export type Chore = Read<typeof chore>

/** Who does a chore now. */
export type Leader = Read<typeof leader>

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
