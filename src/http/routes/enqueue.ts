import { randomUUID } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import type { Json } from '../../engine/task.ts'
import type { RawTask } from '../../tasks/enqueue-options.ts'
import { Problem } from '../answers/problem.ts'
import { toWire } from '../answers/task-on-the-wire.ts'
import { requireScope } from '../gate/caller.ts'
import { allows } from '../gate/scopes.ts'
import { requireSql } from '../gate/sql-over-http.ts'
import type { HttpContext } from '../http-context.ts'
import { apiRoot } from '../requests/path-of.ts'
import { preferredWait, waited } from '../requests/prefer.ts'
import { refusedText, requireText } from '../requests/require-text.ts'
import type { Answer } from '../routing/call.ts'
import type { AnyCall, Api } from '../routing/route.ts'
import {
  enqueuedMany,
  enqueuedOne,
  manyTasks,
  type newTask,
  plannedTask,
  repeatable,
} from '../schemas/enqueue.ts'
import { seeTask } from '../waiting/wait-for-task.ts'

type NewTask = z.output<typeof newTask>
type Repeatable = z.output<typeof repeatable>

/** Putting tasks into queues. */
export function register(api: Api, { tusk }: HttpContext): void {
  api.route(
    {
      method: 'post',
      path: '/tasks',
      scope: 'enqueue',
      tag: 'Tasks',
      operationId: 'enqueueTasks',
      summary: 'Enqueue a task, many tasks, or a task that repeats',
      description:
        'One object is one task; with `repeat` it becomes a schedule. `{tasks: […]}` enqueues all of them or none. `Prefer: wait=10` waits until a single task has ended. Tasks of kind sql need the scope sql, and a server that accepts them.',
      body: z.union([repeatable, manyTasks]),
      responses: {
        201: {
          description: 'Tasks stored',
          body: z.union([enqueuedOne, enqueuedMany, plannedTask]),
        },
        200: { description: 'The key was taken: what happened instead', body: enqueuedOne },
      },
      afterwards: waitForOne,
    },
    async (call) => {
      const { body } = call
      if ('tasks' in body) {
        requireEnqueue(call, body.tasks)
        const tasks = await tusk.enqueueTasks(body.tasks.map(rawTask(call)), { on: call.on })
        return { status: 201, body: { tasks: tasks.map(({ id, outcome }) => ({ id, outcome })) } }
      }
      requireEnqueue(call, [body])
      if (body.repeat !== undefined) return { status: 201, ...(await plan(call, body)) }
      const { id, outcome } = await tusk.enqueueTask({ ...rawTask(call)(body), on: call.on })
      const headers = { location: `${call.context.basePath}${apiRoot}/tasks/${id}` }
      return outcome === 'created'
        ? { status: 201, headers, body: { id, outcome } }
        : { status: 200, headers, body: { id, outcome } }
    },
  )
}

function requireEnqueue(call: AnyCall, tasks: readonly (NewTask | Repeatable)[]) {
  for (const queue of new Set(tasks.map((task) => task.queue))) {
    requireScope(call.caller, 'enqueue', queue)
  }
  if (tasks.some(({ kind }) => kind === 'sql')) requireSql(call)
  for (const { payload_text, payload } of tasks) requireText(payload_text, payload)
}

/** As the client takes it. The trace goes on in the task, unless a span of ours does that. */
function rawTask({ traceparent }: AnyCall) {
  return (task: NewTask | Repeatable): RawTask => ({
    queue: task.queue,
    payload: task.payload,
    payloadText: task.payload_text,
    handler: task.handler,
    kind: task.kind,
    priority: task.priority,
    runAt: toDate(task.run_at),
    delay: task.delay,
    key: task.key,
    onDuplicate: task.on_duplicate,
    window: task.window,
    freesKey: task.frees_key,
    groups: task.groups,
    maxRunning: task.max_running,
    tags: task.tags,
    version: task.version,
    maxAttempts: task.max_attempts,
    backoff: task.backoff as RawTask['backoff'],
    timeout: task.timeout,
    deadline: toDate(task.deadline),
    retention: task.retention,
    parent: task.parent,
    after: task.after,
    afterFailure: task.after_failure,
    meta: withTrace(task.meta as RawTask['meta'], traceparent),
  })
}

function withTrace(meta: RawTask['meta'], traceparent: string | undefined): RawTask['meta'] {
  if (traceparent === undefined || meta?.['traceparent'] !== undefined) return meta
  return { ...meta, traceparent }
}

function toDate(given: string | undefined): Date | undefined {
  return given === undefined ? undefined : new Date(given)
}

/** A schedule of a name that is free: who may enqueue may not change the plans of others. */
async function plan(call: AnyCall, { repeat, payload_text: text, ...task }: Repeatable) {
  if (text !== undefined) throw refusedText('a schedule takes a payload')
  const { name = madeUpName(task), ...planning } = repeat ?? {}
  const { verbs, basePath } = call.context
  const made = await call.audited(async (db) => {
    const wanted = { [name]: { ...planning, task } as unknown as Json }
    const [applied] = await verbs.applySchedules(db, wanted)
    // Thrown after the change, which the error rolls back: no other caller can come in between.
    if (applied?.outcome !== 'created') throw nameTaken(name)
    return verbs.schedule(db, name)
  })
  const location = `${basePath}${apiRoot}/schedules/${encodeURIComponent(name)}`
  return {
    headers: { location },
    body: { schedule: name, next_at: made?.next_at ?? null, task: made?.task ?? null },
  }
}

function madeUpName({ queue, key }: { queue: string; key?: string | undefined }): string {
  return key === undefined ? `${queue} ${randomUUID().slice(0, 8)}` : `${queue} ${key}`
}

function nameTaken(name: string): Problem {
  return new Problem(409, 'key_taken', `schedule ${JSON.stringify(name)} already exists`, {
    hint: 'Set another repeat.name, or change that schedule with PATCH /schedules/{name}.',
  })
}

/** Waits outside the transaction that stored it, and also when the stored answer is given again. */
async function waitForOne(call: AnyCall, answer: Answer): Promise<Answer> {
  const seconds = preferredWait(call.request)
  const { id, outcome } = (answer.body ?? {}) as { id?: string; outcome?: string }
  if (seconds === undefined || id === undefined) return answer
  // With a key that was taken it is another caller's task, which this caller may not be allowed to see.
  if (outcome !== 'created' && !allows(call.caller.scopes, 'read')) return answer
  const task = await seeTask(call, id, seconds)
  // Who would not be let in any more learns that it is stored, and nothing else.
  const isStillIn = await call.readmit().then(
    () => true,
    () => false,
  )
  if (!isStillIn) return answer
  const headers = { ...answer.headers, ...waited(seconds) }
  return task === null
    ? { ...answer, headers }
    : { ...answer, headers, body: { ...(answer.body as object), task: toWire(task) } }
}
