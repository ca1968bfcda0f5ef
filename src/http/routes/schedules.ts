import { z } from '@hono/zod-openapi'
import type { PlannedTime, Schedule } from '../../engine/schedule.ts'
import { describeClockNote } from '../../lib/schedule-words/describe-clock-note.ts'
import { describeSchedule, type SchedulePlan } from '../../lib/schedule-words/describe-schedule.ts'
import { onTheWire } from '../answers/on-the-wire.ts'
import { pageOf, toRead } from '../answers/page-of.ts'
import { Problem } from '../answers/problem.ts'
import type { HttpContext } from '../http-context.ts'
import { fromCursor } from '../requests/cursor.ts'
import { etagOf } from '../requests/etag.ts'
import type { Api } from '../routing/route.ts'
import { byName, listOf, page } from '../schemas/common.ts'
import { occurrence, occurrenceOutcome, preview, previewOf, schedule } from '../schemas/schedule.ts'

const tag = 'Schedules'

/** Looking at plans that make tasks. */
export function register(api: Api, context: HttpContext): void {
  look(api, context)
  lookBack(api, context)
  lookAhead(api, context)
}

function look(api: Api, { verbs, reads }: HttpContext): void {
  api.route(
    {
      method: 'get',
      path: '/schedules',
      scope: 'read',
      tag,
      operationId: 'listSchedules',
      summary: 'List schedules with their next time and their last outcome',
      query: z.strictObject(page),
      responses: { 200: { description: 'By name', body: listOf(schedule) } },
    },
    async (call) => {
      const { cursor, limit } = call.query
      const after = fromCursor(cursor)
      const read = await verbs.schedules(reads, { after, limit: toRead(limit) })
      return pageOf(call, read, limit, { placeOf: ({ name }) => name, show: scheduleToWire })
    },
  )

  api.route(
    {
      method: 'get',
      path: '/schedules/{name}',
      scope: 'read',
      tag,
      operationId: 'getSchedule',
      summary: 'Get a schedule',
      params: byName,
      responses: { 200: { description: 'The schedule', body: schedule } },
    },
    async ({ params: { name } }) => {
      const found = await verbs.schedule(reads, name)
      if (found === null) throw noSchedule(name)
      const headers = { etag: etagOfSchedule(found) }
      return { status: 200, headers, body: scheduleToWire(found) }
    },
  )
}

function lookBack(api: Api, { verbs, reads }: HttpContext): void {
  api.route(
    {
      method: 'get',
      path: '/schedules/{name}/occurrences',
      scope: 'read',
      tag,
      operationId: 'listOccurrences',
      summary: 'List the planned times of a schedule and their outcomes',
      params: byName,
      query: z.strictObject({ ...page, outcome: occurrenceOutcome.optional() }),
      responses: { 200: { description: 'The newest first', body: listOf(occurrence) } },
    },
    async (call) => {
      const { name } = call.params
      const { cursor, limit, outcome } = call.query
      const before = readTime(fromCursor(cursor))
      const read = await verbs.occurrences(reads, name, { before, outcome, limit: toRead(limit) })
      if (read.length === 0 && (await verbs.schedule(reads, name)) === null) throw noSchedule(name)
      return pageOf(call, read, limit, {
        placeOf: ({ planned_at }) => planned_at.toISOString(),
        show: (row) => onTheWire(occurrence, row),
      })
    },
  )
}

function lookAhead(api: Api, { verbs, reads }: HttpContext): void {
  api.route(
    {
      method: 'post',
      path: '/schedules/preview',
      scope: 'read',
      tag,
      operationId: 'previewSchedule',
      summary: 'Preview the next times of a schedule, or of settings without saving them',
      body: previewOf,
      responses: {
        200: { description: 'The times, in the time zone of the schedule', body: preview },
      },
    },
    async ({ body: { name, settings, count, from } }) => {
      const start = from === undefined ? null : new Date(from)
      if (name !== undefined) {
        if (settings !== undefined)
          throw refused('body.settings', 'give a name or settings, not both')
        const found = await verbs.schedule(reads, name)
        if (found === null) throw noSchedule(name)
        const times = await verbs.previewSchedule(reads, name, count, start)
        return { status: 200, body: previewToWire(found, times) }
      }
      // As JSON, which has no undefined.
      const given = JSON.parse(JSON.stringify(settings ?? {}))
      const plan = await verbs.normalizeSchedule(reads, given)
      const times = await verbs.previewSchedule(reads, given, count, start)
      return { status: 200, body: previewToWire(plan, times) }
    },
  )
}

export function scheduleToWire(row: Schedule) {
  return onTheWire(schedule, { ...row, words: describeSchedule(row) })
}

function previewToWire(plan: SchedulePlan, times: readonly PlannedTime[]) {
  const items = times.map((time) => ({ ...time, words: describeClockNote(time) }))
  return { words: describeSchedule(plan), items }
}

/** Its revision grows with every edit; a pause is none. */
export function etagOfSchedule({ name, created_at, revision }: Schedule): string {
  return etagOf({ name, created_at, revision })
}

export function noSchedule(name: string): Problem {
  return new Problem(404, 'schedule_not_found', `there is no schedule ${JSON.stringify(name)}`, {
    hint: 'GET /schedules lists them.',
  })
}

function readTime(place: string | undefined): Date | undefined {
  if (place === undefined) return undefined
  const time = new Date(place)
  if (!Number.isNaN(time.getTime())) return time
  throw refused('query.cursor', 'not a valid cursor')
}

function refused(path: string, message: string): Problem {
  return new Problem(422, 'invalid_request', `${path}: ${message}`, { errors: [{ path, message }] })
}
