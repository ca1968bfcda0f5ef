import pg from 'pg'
import { call } from '../../src/engine/call.ts'
import type { Enqueued, NewTask } from '../../src/engine/task.ts'
import { bulkDoor } from '../support/doors/bulk.ts'
import type { Door } from '../support/doors/door.ts'

/** The properties as enqueue_many(jsonb) and the HTTP API name them; what is undefined is left out. */
export const taskAsObject = (task: NewTask): Record<string, unknown> => ({
  queue: task.queue,
  payload: task.payload,
  handler: task.handler,
  kind: task.kind,
  priority: task.priority,
  run_at: task.runAt,
  key: task.key,
  on_duplicate: task.onDuplicate,
  window: task.window,
  frees_key: task.freesKey,
  groups: task.groups,
  max_running: task.maxRunning,
  tags: task.tags,
  version: task.version,
  max_attempts: task.maxAttempts,
  backoff: task.backoff,
  timeout: task.timeout,
  deadline: task.deadline,
  retention: task.retention,
  parent: task.parent,
  meta: task.meta,
  after: task.after,
  after_failure: task.afterFailure,
})

/** The bulk verbs, with tasks as objects: enqueue_many(jsonb). */
export const objectsDoor: Door = (behind) => {
  const enqueueMany = (tasks: readonly NewTask[]) =>
    call<Enqueued>(
      behind.db,
      `select id::text, outcome from ${pg.escapeIdentifier(behind.schema)}.enqueue_many($1::jsonb)`,
      [JSON.stringify(tasks.map(taskAsObject))],
    )
  return {
    ...bulkDoor(behind),
    enqueueMany,
    async enqueue(task) {
      const [enqueued] = await enqueueMany([task])
      if (enqueued === undefined) throw new Error('enqueue_many() answered nothing')
      return enqueued
    },
  }
}
