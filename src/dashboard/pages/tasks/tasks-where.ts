import { href } from '../../router.ts'

/** The address of the tasks that a query finds. */
export function tasksWhere(query: string): string {
  return href('/tasks', { q: query })
}
