import type { z } from '@hono/zod-openapi'
import type { FailOptions, Held } from '../../engine/outcomes.ts'
import type { Json } from '../../engine/task.ts'
import { lostLease } from '../answers/lost-lease.ts'
import { requireScope } from '../gate/caller.ts'
import { requireConsume } from '../gate/require-consume.ts'
import { requireSqlOf } from '../gate/sql-over-http.ts'
import type { HttpContext } from '../http-context.ts'
import { requireUnchanged } from '../requests/edit.ts'
import { editedTask } from '../requests/edited-task.ts'
import type { AnyCall, Api } from '../routing/route.ts'
import { byId } from '../schemas/common.ts'
import * as schemas from '../schemas/executor.ts'

const common = { method: 'post', scope: 'consume', tag: 'Executors', params: byId } as const
const recorded = { 204: { description: 'Recorded' } } as const
const ended = {
  200: { description: 'The new state of the task', body: schemas.endedAttempt },
} as const

/** Reports of executors about one task that they hold. */
export function register(api: Api, context: HttpContext): void {
  succeed(api, context)
  failures(api, context)
  giveBack(api, context)
  tell(api, context)
}

/** The claim, if the caller has the scope to report about it. The engine checks whether it is still held. */
async function held(
  call: Pick<AnyCall, 'caller' | 'context'> & { params: { id: string }; body: { claim: string } },
): Promise<Held> {
  return { id: call.params.id, claim: await requireConsume(call, call.body.claim) }
}

function succeed(api: Api, { verbs, writes }: HttpContext): void {
  api.route(
    {
      ...common,
      path: '/tasks/{id}/complete',
      operationId: 'completeTask',
      summary: 'Complete a task and store its output',
      body: schemas.completeOne,
      responses: recorded,
    },
    async (call) => {
      const { output = null } = call.body
      await verbs.complete(call.on ?? writes, await held(call), output as Json)
      return { status: 204 }
    },
  )

  api.route(
    {
      ...common,
      path: '/tasks/{id}/reschedule',
      operationId: 'rescheduleTask',
      summary: 'Complete this round of a task and schedule the next one',
      body: schemas.rescheduleOne,
      responses: recorded,
    },
    async (call) => {
      const { run_at, payload } = call.body
      const right = await held(call)
      await requireSqlOf(call, right.id, payload)
      const on = call.on ?? writes
      await verbs.reschedule(on, right, new Date(run_at), payload as Json | undefined)
      return { status: 204 }
    },
  )
}

function failures(api: Api, { verbs, writes }: HttpContext): void {
  api.route(
    {
      ...common,
      path: '/tasks/{id}/fail',
      operationId: 'failTask',
      summary: 'Fail an attempt. The task is retried while attempts are left.',
      body: schemas.failOne,
      responses: ended,
    },
    async (call) => {
      const { error = null } = call.body
      const right = await held(call)
      const on = call.on ?? writes
      return { status: 200, body: await verbs.fail(on, right, error as Json, how(call.body)) }
    },
  )

  api.route(
    {
      ...common,
      path: '/tasks/{id}/reject',
      operationId: 'rejectTask',
      summary: 'Reject a task that cannot run now. This counts as a failed attempt.',
      body: schemas.rejectOne,
      responses: ended,
    },
    async (call) => {
      const { error = null, delay = null } = call.body
      const right = await held(call)
      const on = call.on ?? writes
      return { status: 200, body: await verbs.reject(on, right, error as Json, delay) }
    },
  )

  api.route(
    {
      ...common,
      path: '/tasks/{id}/kill',
      operationId: 'killTask',
      summary: 'Fail a task for good, even if attempts are left',
      description:
        'An executor sends its claim. A caller with the scope operate may leave the claim out, and the executor loses its lease; If-Match works only then.',
      heedsIfMatch: true,
      body: schemas.killOne,
      responses: recorded,
    },
    async (call) => {
      const { claim, error = null } = call.body
      if (claim === undefined) {
        requireScope(call.caller, 'operate')
        await call.audited(async (db) => {
          await requireUnchanged(db, call, editedTask(call))
          await verbs.killRunning(db, call.params.id, error as Json)
        })
      } else {
        const right = await held({ ...call, body: { claim } })
        await verbs.kill(call.on ?? writes, right, error as Json)
      }
      return { status: 204 }
    },
  )
}

function how({ reason, retry, delay }: z.output<typeof schemas.failOne>): FailOptions {
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(retry === undefined ? {} : { retry }),
    ...(delay === undefined ? {} : { delay }),
  }
}

function giveBack(api: Api, { verbs, writes }: HttpContext): void {
  api.route(
    {
      ...common,
      path: '/tasks/{id}/release',
      operationId: 'releaseTask',
      summary: 'Release a task as if it had never been claimed',
      body: schemas.releaseOne,
      responses: recorded,
    },
    async (call) => {
      const right = await held(call)
      const released = await verbs.release(call.on ?? writes, [right])
      if (released.length === 0) throw lostLease(right)
      return { status: 204 }
    },
  )
}

function tell(api: Api, { verbs, writes }: HttpContext): void {
  api.route(
    {
      ...common,
      path: '/tasks/{id}/progress',
      operationId: 'reportProgress',
      summary: 'Report the progress of a task',
      body: schemas.progressOne,
      responses: recorded,
    },
    async (call) => {
      const progress = JSON.stringify(call.body.progress ?? null)
      await verbs.progress(call.on ?? writes, await held(call), progress)
      return { status: 204 }
    },
  )

  api.route(
    {
      ...common,
      path: '/tasks/{id}/log',
      operationId: 'writeLogLines',
      summary: 'Write log lines that are stored with the task',
      description:
        'A task keeps its first 1,000 lines. If it was rescheduled, the oldest lines of earlier rounds are removed first. Lines about a task that you no longer hold are dropped.',
      body: schemas.logOne,
      responses: recorded,
    },
    async (call) => {
      const right = await held(call)
      const lines = 'lines' in call.body ? call.body.lines : [{ ...call.body, at: undefined }]
      await verbs.log(
        call.on ?? writes,
        lines.map(({ level, message, at }) => ({
          ...right,
          level,
          message,
          at: at === undefined ? new Date() : new Date(at),
        })),
      )
      return { status: 204 }
    },
  )
}
