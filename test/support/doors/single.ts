import pg from 'pg'
import { call } from '../../../src/engine/call.ts'
import type { Enqueued, NewTask } from '../../../src/engine/task.ts'
import type { Door } from './door.ts'

const json = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value))

/** The arguments of enqueue() by their names; what is undefined is left out of the call. */
const argumentsOf = (task: NewTask): Record<string, unknown> => ({
  p_queue: task.queue,
  p_payload: task.payloadJson ?? json(task.payload === undefined ? {} : task.payload),
  p_handler: task.handler,
  p_kind: task.kind,
  p_priority: task.priority,
  p_run_at: task.runAt,
  p_key: task.key,
  p_on_duplicate: task.onDuplicate,
  p_window: task.window,
  p_frees_key: task.freesKey,
  p_groups: task.groups,
  p_max_running: task.maxRunning,
  p_tags: task.tags,
  p_version: task.version,
  p_max_attempts: task.maxAttempts,
  p_backoff: json(task.backoff),
  p_timeout: task.timeout,
  p_deadline: task.deadline,
  p_retention: task.retention,
  p_parent: task.parent,
  p_meta: json(task.meta),
  p_after: task.after,
  p_after_failure: task.afterFailure,
})

/** The single verbs of SQL, as a person calls them in psql: one call per task, arguments by name. */
export const singleDoor: Door = ({ db, schema }) => ({
  async enqueue(task) {
    const given = Object.entries(argumentsOf(task)).filter(
      ([, value]) => value !== undefined && value !== null,
    )
    const values = given.map(([, value]) => value)
    const named = given.map(([name], at) => `${name} => $${at + 1}`)
    if (task.delay !== undefined && task.runAt === undefined) {
      values.push(task.delay)
      named.push(`p_run_at => clock_timestamp() + $${values.length}::interval`)
    }
    const text = `select id::text, outcome from ${pg.escapeIdentifier(schema)}.enqueue(${named.join(', ')})`
    const [enqueued] = await call<Enqueued>(db, text, values)
    if (enqueued === undefined) throw new Error('enqueue() answered nothing')
    return enqueued
  },
})
