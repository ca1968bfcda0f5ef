import type { Task } from '../../engine/task.ts'
import { TuskError } from '../../lib/errors.ts'
import type { AnyCall } from '../routing/route.ts'

/** A task as it stands when it has ended, or when the time is over; null if there is none (any more). */
export async function seeTask(
  call: Pick<AnyCall, 'context' | 'signal'>,
  id: string,
  seconds: number | undefined,
): Promise<Task | null> {
  const { verbs, reads, tusk } = call.context
  if (seconds !== undefined && seconds > 0) {
    await tusk
      .waitForEnd(id, { timeout: seconds * 1000, signal: call.signal })
      .catch((error: unknown) => {
        if (!isNoNews(error) && !call.signal.aborted) throw error
      })
  }
  return verbs.task(reads, id)
}

/** The task goes on, or it is gone: the next look shows which. */
function isNoNews(error: unknown): boolean {
  return (
    error instanceof TuskError && (error.code === 'wait_timeout' || error.code === 'task_not_found')
  )
}
