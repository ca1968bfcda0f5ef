import type { Tusk } from '../../../client/tusk.ts'
import type { Queryable } from '../../../db/queryable.ts'
import type { Json } from '../../../engine/task.ts'

/** One thing that people do with tasks, and the words for it. */
export interface Deed {
  readonly name: 'retry' | 'cancel' | 'kill' | 'move' | 'amend' | 'delete'
  /** This `deletes` 12 tasks. */
  readonly does: string
  /** `Deleting` … */
  readonly doing: string
  /** Task 42 `is deleted`. */
  readonly done: string
  /** It cannot be undone, so that it is asked about for a single task as well. */
  readonly isFinal?: boolean
  /** What an operation on many is told besides. */
  readonly many: {
    readonly runAt?: Date | undefined
    readonly changes?: Readonly<Record<string, Json>> | undefined
  }
  /** Options that are good for tasks that are named only. */
  readonly oneByOne?: string | undefined
  /** Does it to one. */
  readonly to: (tusk: Tusk, id: string, on: Queryable) => Promise<void>
}

export function tasksOf(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'task' : 'tasks'}`
}
