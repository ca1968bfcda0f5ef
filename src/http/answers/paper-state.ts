import type { Task, TaskState } from '../../engine/task.ts'

/**
 * The states of the task server's paper. `New` and `Watching` are never seen: a task is Ready or Delayed
 * from its first moment, and becomes due by the passing of time, without anybody watching.
 */
export const paperStates = [
  'New',
  'Ready',
  'Delayed',
  'Watching',
  'Reserved',
  'Aborted',
  'Success',
  'Buried',
] as const

export type PaperState = (typeof paperStates)[number]

const byState: Readonly<Record<TaskState, PaperState>> = {
  scheduled: 'Delayed',
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
