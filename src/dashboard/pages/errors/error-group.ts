import type { errorGroup } from '../../../http/schemas/stats.ts'
import type { Read } from '../../model.ts'
import { href } from '../../router.ts'

/** Failures that say the same, in one queue. */
export type ErrorGroup = Read<typeof errorGroup>

/** The tasks that failed so and still are failed. */
export function tasksHref({ fingerprint, queue }: ErrorGroup): string {
  return href('/tasks', { error: fingerprint, queue, state: 'failed' })
}
