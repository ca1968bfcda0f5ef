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
const told = { 204: { description: 'It is written down' } } as const
const ended = {
  200: { description: 'What became of it', body: schemas.endedAttempt },
} as const

/** What executors say about one task that they hold. */
export function register(api: Api, context: HttpContext): void {
  succeed(api, context)
  failures(api, context)
  giveBack(api, context)
  tell(api, context)
}

/** The right to speak about it, as far as the caller's scopes go; the engine checks the claim. */
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
      summary: 'It is done, with what it gave',
      body: schemas.completeOne,
      responses: told,
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
      summary: 'This round is done, and there will be another',
      body: schemas.rescheduleOne,
      responses: told,
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
      summary: 'The attempt did not succeed: it is tried again while attempts are left',
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
      summary: 'It cannot be done now: charged as a failed attempt',
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
      summary: 'It is given up for good, whatever attempts are left',
      description:
        'By its executor with the claim; without one by whoever has the scope operate, and the executor loses its lease. If-Match is for the latter.',
      heedsIfMatch: true,
      body: schemas.killOne,
      responses: told,
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
      summary: 'Give it back as if it had never been taken',
      body: schemas.releaseOne,
      responses: told,
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
      summary: 'How far it has come, for people to see',
      body: schemas.progressOne,
      responses: told,
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
      summary: 'Lines that stay with the task',
      description:
        'A task keeps its first 1,000 lines; of one that was rescheduled, the oldest of earlier rounds give way. Lines about a task that is no longer held are dropped.',
      body: schemas.logOne,
      responses: told,
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
