import { z } from '@hono/zod-openapi'
import type { Queryable } from '../../db/queryable.ts'
import type { Json } from '../../engine/task.ts'
import { requireSql } from '../gate/sql-over-http.ts'
import type { HttpContext } from '../http-context.ts'
import { edit, requireUnchanged } from '../requests/edit.ts'
import { changedMeanwhile } from '../requests/etag.ts'
import type { AnyCall, Api } from '../routing/route.ts'
import { byName, id } from '../schemas/common.ts'
import {
  backfilled,
  backfillRange,
  schedule,
  scheduleChanges,
  wholeSchedule,
} from '../schemas/schedule.ts'
import { etagOfSchedule, noSchedule, scheduleToWire } from './schedules.ts'

const common = { scope: 'operate', tag: 'Schedules', params: byName, heedsIfMatch: true } as const
const shown = { description: 'The schedule afterwards', body: schedule } as const

/** What people do with plans that make tasks. */
export function register(api: Api, context: HttpContext): void {
  replace(api, context)
  change(api, context)
  remove(api, context)
  hold(api, context)
  fire(api, context)
}

function replace(api: Api, { verbs }: HttpContext): void {
  api.route(
    {
      ...common,
      method: 'put',
      path: '/schedules/{name}',
      operationId: 'setSchedule',
      summary: 'Create or replace a schedule. Settings that you leave out get their defaults.',
      description:
        'With `If-None-Match: *` only if there is none of that name. A task of kind sql needs the scope sql.',
      body: wholeSchedule,
      responses: { 200: shown, 201: { ...shown, description: 'Schedule created' } },
    },
    async (call) => {
      const { name } = call.params
      if (call.body.task.kind === 'sql') requireSql(call)
      let outcome: string | undefined
      const after = await edit(call, {
        ...editedSchedule(call),
        missing: undefined,
        write: async (db) => {
          const [applied] = await verbs.applySchedules(db, { [name]: call.body as Json })
          outcome = applied?.outcome
          const mustBeNew = call.request.headers.get('if-none-match') === '*'
          // Thrown after the change, which the error rolls back: no other caller can come in between.
          if (mustBeNew && outcome !== 'created') throw changedMeanwhile()
        },
      })
      const answer = { headers: { etag: etagOfSchedule(after) }, body: scheduleToWire(after) }
      return outcome === 'created' ? { status: 201, ...answer } : { status: 200, ...answer }
    },
  )
}

function change(api: Api, { verbs }: HttpContext): void {
  api.route(
    {
      ...common,
      method: 'patch',
      path: '/schedules/{name}',
      operationId: 'changeSchedule',
      summary: 'Change a schedule. Settings that you leave out stay; null restores a default.',
      description: 'A task of kind sql needs the scope sql.',
      body: scheduleChanges,
      responses: { 200: shown },
    },
    async (call) => {
      const { name } = call.params
      if (call.body.task?.kind === 'sql') requireSql(call)
      const after = await edit(call, {
        ...editedSchedule(call),
        missing: undefined,
        write: async (db) => {
          if ((await verbs.schedule(db, name)) === null) throw noSchedule(name)
          await verbs.setSchedule(db, name, call.body as Json)
        },
      })
      return {
        status: 200,
        headers: { etag: etagOfSchedule(after) },
        body: scheduleToWire(after),
      }
    },
  )
}

function remove(api: Api, { verbs }: HttpContext): void {
  api.route(
    {
      ...common,
      method: 'delete',
      path: '/schedules/{name}',
      operationId: 'deleteSchedule',
      summary: 'Delete a schedule with its occurrences. The tasks that it created stay.',
      responses: { 204: { description: 'Schedule deleted' } },
    },
    async (call) => {
      const { name } = call.params
      await call.audited(async (db) => {
        await requireUnchanged(db, call, editedSchedule(call))
        await verbs.deleteSchedule(db, name)
      })
      return { status: 204 }
    },
  )
}

function hold(api: Api, { verbs }: HttpContext): void {
  for (const [word, verb, summary] of [
    ['pause', 'pauseSchedule', 'Pause a schedule. Its times are recorded as skipped.'],
    ['resume', 'resumeSchedule', 'Resume a schedule, from its next time on'],
  ] as const) {
    api.route(
      {
        ...common,
        method: 'post',
        path: `/schedules/{name}/${word}`,
        operationId: verb,
        summary,
        responses: { 200: shown },
      },
      (call) => act(call, (db) => verbs[verb](db, call.params.name)),
    )
  }
}

function fire(api: Api, { verbs }: HttpContext): void {
  api.route(
    {
      ...common,
      method: 'post',
      path: '/schedules/{name}/run',
      operationId: 'runSchedule',
      summary: 'Run a schedule now, in addition to its planned times',
      responses: {
        200: { description: 'The task that it enqueued', body: z.object({ task: id }) },
      },
    },
    async (call) => {
      const task = await call.audited(async (db) => {
        await requireUnchanged(db, call, editedSchedule(call))
        return verbs.runSchedule(db, call.params.name)
      })
      return { status: 200, body: { task } }
    },
  )

  api.route(
    {
      ...common,
      method: 'post',
      path: '/schedules/{name}/backfill',
      operationId: 'backfillSchedule',
      summary: 'Enqueue tasks for the planned times in a range that are missing or were skipped',
      body: backfillRange,
      responses: {
        200: {
          description: 'How many tasks were enqueued. With more_from, the limit was reached.',
          body: backfilled,
        },
      },
    },
    async (call) => {
      const { from, to, limit } = call.body
      const { name } = call.params
      const body = await call.audited(async (db) => {
        await requireUnchanged(db, call, editedSchedule(call))
        return verbs.backfill(db, name, new Date(from), new Date(to), limit)
      })
      return { status: 200, body }
    },
  )
}

type ScheduleCall = Pick<AnyCall, 'audited' | 'context' | 'request'> & { params: { name: string } }

/** Does it, and shows the schedule as it is then. */
async function act(call: ScheduleCall, write: (db: Queryable) => Promise<void>) {
  const after = await edit(call, { ...editedSchedule(call), write })
  return {
    status: 200 as const,
    headers: { etag: etagOfSchedule(after) },
    body: scheduleToWire(after),
  }
}

function editedSchedule({ context, params: { name } }: Pick<ScheduleCall, 'context' | 'params'>) {
  return {
    kind: 'schedule' as const,
    name,
    read: (db: Queryable) => context.verbs.schedule(db, name),
    etag: etagOfSchedule,
    missing: () => noSchedule(name),
  }
}
