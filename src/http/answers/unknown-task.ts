import type { Task } from '../../engine/task.ts'
import { Problem } from './problem.ts'

/** There is no task of this id, or none any more; as the engine says it. */
export function noTask(id: string): Problem {
  return new Problem(404, 'task_not_found', `there is no task ${id}`, {
    hint: 'It may have been deleted, or removed when its retention was over.',
  })
}

/** The task that must be there. */
export async function requireTask<T = Task>(looking: Promise<T | null>, id: string): Promise<T> {
  const found = await looking
  if (found === null) throw noTask(id)
  return found
}
