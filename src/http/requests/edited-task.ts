import type { Queryable } from '../../db/queryable.ts'
import { etagOfTask } from '../answers/task-on-the-wire.ts'
import { noTask } from '../answers/unknown-task.ts'
import type { AnyCall } from '../routing/route.ts'

/** The task that a person changes, for edit() and requireUnchanged(). */
export function editedTask({
  context,
  params: { id },
}: Pick<AnyCall, 'context'> & { readonly params: { readonly id: string } }) {
  return {
    kind: 'task' as const,
    name: id,
    read: (db: Queryable) => context.verbs.task(db, id),
    etag: etagOfTask,
    missing: () => noTask(id),
  }
}
