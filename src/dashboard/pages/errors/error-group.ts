import { href } from '../../router.ts'

/** Failures that say the same, in one queue. */
export interface ErrorGroup {
  readonly fingerprint: string
  readonly queue: string
  readonly code: string | null
  /** With what differs from one to the next left out. */
  readonly message: string
  /** One of them as it was. */
  readonly sample: string | null
  readonly reason: string | null
  readonly count: number
  readonly last_hour: number
  readonly last_day: number
  readonly first_at: string
  readonly last_at: string
  readonly last_task: string | null
}

/** The tasks that failed so and still are failed. */
export function tasksHref({ fingerprint, queue }: ErrorGroup): string {
  return href('/tasks', { error: fingerprint, queue, state: 'failed' })
}
