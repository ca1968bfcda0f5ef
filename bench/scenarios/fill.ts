import type { NewTasks } from '../subjects/subject.ts'
import type { Stage } from './scenario.ts'

const bulk = 1_000

/** Enqueues through the subject's own interface, in calls of 1,000. */
export async function fill(stage: Stage, tasks: NewTasks): Promise<void> {
  const db = await stage.connections.get('fill')
  for (let sent = 0; sent < tasks.count; sent += bulk) {
    const count = Math.min(bulk, tasks.count - sent)
    const { groupOf } = tasks
    const shifted = groupOf && { groupOf: (n: number) => groupOf(sent + n) }
    await stage.subject.enqueueMany(db, { ...tasks, count, ...shifted })
  }
}
