import { z } from '@hono/zod-openapi'
import type { Queryable } from '../../db/queryable.ts'
import type { Json, Task } from '../../engine/task.ts'
import { etagOfTask, toWire } from '../answers/task-on-the-wire.ts'
import { requireSqlOf } from '../gate/sql-over-http.ts'
import type { HttpContext } from '../http-context.ts'
import { edit, requireUnchanged } from '../requests/edit.ts'
import { editedTask } from '../requests/edited-task.ts'
import { requireText } from '../requests/require-text.ts'
import type { AnyCall, Api } from '../routing/route.ts'
import { byId, givenTime, json } from '../schemas/common.ts'
import { payloadText, task, taskChanges } from '../schemas/task.ts'

const shown = { 200: { description: 'The task afterwards', body: task } } as const
const common = { scope: 'operate', tag: 'Tasks', params: byId, heedsIfMatch: true } as const

/** What people do with a task. */
export function register(api: Api, context: HttpContext): void {
  edits(api, context)
  cancels(api, context)
  moves(api, context)
}

function edits(api: Api, { verbs }: HttpContext): void {
  api.route(
    {
      ...common,
      method: 'patch',
      path: '/tasks/{id}',
      operationId: 'amendTask',
      summary: 'Change a task; null restores a default',
      description: 'While a task runs, only payload, meta, parent and retention can be changed.',
      body: taskChanges,
      responses: shown,
    },
    async (call) => {
      const { id } = call.params
      const { payload_text: text, ...changes } = call.body
      requireText(text, changes.payload)
      await requireSqlOf(call, id, text ?? changes.payload)
      const after = await edit(call, {
        ...editedTask(call),
        write: (db) =>
          text === undefined
            ? verbs.amend(db, id, changes as Json)
            : verbs.amendWithText(db, id, changes as Json, text),
      })
      return answered(after)
    },
  )

  api.route(
    {
      ...common,
      method: 'delete',
      path: '/tasks/{id}',
      operationId: 'deleteTask',
      summary: 'Delete a task with its attempts, logs and history. A running task loses its lease.',
      responses: { 204: { description: 'Task deleted' } },
    },
    async (call) => {
      await call.audited(async (db) => {
        await requireUnchanged(db, call, editedTask(call))
        await verbs.delete(db, call.params.id)
      })
      return { status: 204 }
    },
  )
}

function cancels(api: Api, { verbs }: HttpContext): void {
  api.route(
    {
      ...common,
      method: 'post',
      path: '/tasks/{id}/cancel',
      operationId: 'cancelTask',
      summary: 'Cancel a task that waits or runs',
      responses: {
        ...shown,
        204: {
          description: 'Task cancelled. Its queue keeps no cancelled tasks (keep_cancelled).',
        },
      },
    },
    async (call) => {
      const { read, ...edited } = editedTask(call)
      const after = await call.audited(async (db) => {
        await requireUnchanged(db, call, { read, ...edited })
        await verbs.cancel(db, call.params.id)
        return read(db)
      })
      return after === null ? { status: 204 } : answered(after)
    },
  )
}

function moves(api: Api, { verbs }: HttpContext): void {
  api.route(
    {
      ...common,
      method: 'post',
      path: '/tasks/{id}/retry',
      operationId: 'retryTask',
      summary:
        'Retry a task that has ended, now or later, with its payload or a new one, from any step',
      body: z.strictObject({
        run_at: givenTime.optional(),
        payload: json.optional(),
        payload_text: payloadText,
        from: z.string().min(1).optional().openapi({
          description:
            'A step of a durable task. It and all later steps are forgotten and run again.',
        }),
      }),
      responses: shown,
    },
    async (call) => {
      const { id } = call.params
      const { run_at, payload, payload_text: text, from = null } = call.body
      requireText(text, payload)
      await requireSqlOf(call, id, text ?? payload)
      const runAt = run_at === undefined ? null : new Date(run_at)
      return act(call, (db) =>
        text === undefined
          ? verbs.retry(db, id, runAt, payload as Json | undefined, from)
          : verbs.retryWithText(db, id, runAt, text, from),
      )
    },
  )

  api.route(
    {
      ...common,
      method: 'post',
      path: '/tasks/{id}/move',
      operationId: 'moveTask',
      summary: 'Move a waiting task to another time',
      body: z.strictObject({ run_at: givenTime }),
      responses: shown,
    },
    (call) => {
      const { id } = call.params
      return act(call, (db) => verbs.move(db, id, new Date(call.body.run_at)))
    },
  )
}

/** Does it, and shows the task as it is then. */
async function act(
  call: Pick<AnyCall, 'audited' | 'context' | 'request'> & {
    readonly params: { readonly id: string }
  },
  write: (db: Queryable) => Promise<void>,
) {
  return answered(await edit(call, { ...editedTask(call), write }))
}

function answered(after: Task) {
  return { status: 200 as const, headers: { etag: etagOfTask(after) }, body: toWire(after) }
}
