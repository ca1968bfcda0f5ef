import type { z } from '@hono/zod-openapi'
import type { Task, TaskState } from '../../engine/task.ts'
import type { paperState } from '../schemas/task.ts'

type PaperState = z.infer<typeof paperState>

const byState: Readonly<Record<TaskState, PaperState>> = {
  scheduled: 'Delayed',
  waiting: 'Delayed',
  // After a failed attempt the paper says Ready at once; ours waits for its backoff there.
  retrying: 'Ready',
  ready: 'Ready',
  blocked: 'Ready',
  running: 'Reserved',
  done: 'Success',
  failed: 'Aborted',
  cancelled: 'Aborted',
}

/** A task in the paper's words. Buried is what was lost with its last executor. */
export function paperStateOf({ state, reason }: Pick<Task, 'state' | 'reason'>): PaperState {
  return state === 'failed' && reason === 'lost' ? 'Buried' : byState[state]
}
