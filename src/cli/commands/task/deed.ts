import type { Queryable } from '../../../db/queryable.ts'
import type { OperationAction } from '../../../engine/bulk.ts'
import type { Json } from '../../../engine/task.ts'
import type { Verbs } from '../../../engine/verbs.ts'

/** One thing that people do with tasks, and the words for it. */
export interface Deed {
  readonly name: OperationAction
  /** This `deletes` 12 tasks. */
  readonly does: string
  /** `Deleting` … */
  readonly doing: string
  /** Task 42 `is deleted`. */
  readonly done: string
  /** It cannot be undone, so that it is asked about for a single task as well. */
  readonly isFinal?: boolean
  /** The arguments of an operation on many, as start_operation() takes them. */
  readonly many: Readonly<Record<string, Json>>
  /** Options that are good for tasks that are named only. */
  readonly oneByOne?: string | undefined
  /** Does it to one. */
  readonly to: (verbs: Verbs, id: string, db: Queryable) => Promise<void>
}

export function tasksOf(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'task' : 'tasks'}`
}
