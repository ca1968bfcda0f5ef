import { z } from '@hono/zod-openapi'
import type { Queryable } from '../../db/queryable.ts'
import type { GroupStats } from '../../engine/measuring.ts'
import type { Json } from '../../engine/task.ts'
import { notThere } from '../answers/not-there.ts'
import { onTheWire } from '../answers/on-the-wire.ts'
import { pageOf, toRead } from '../answers/page-of.ts'
import type { HttpContext } from '../http-context.ts'
import { fromCursor } from '../requests/cursor.ts'
import { edit } from '../requests/edit.ts'
import { etagOf } from '../requests/etag.ts'
import type { Api } from '../routing/route.ts'
import { byName, listOf, page } from '../schemas/common.ts'
import { group, groupChanges } from '../schemas/queue.ts'
import { registerPausing } from './pausing.ts'

const tag = 'Groups'

/** Groups: limits that tasks of any queue share. */
export function register(api: Api, context: HttpContext): void {
  look(api, context)
  change(api, context)
}

function look(api: Api, { verbs, reads }: HttpContext): void {
  api.route(
    {
      method: 'get',
      path: '/groups',
      scope: 'read',
      tag,
      operationId: 'listGroups',
      summary: 'List groups with their limits and how much of them is in use',
      query: z.strictObject(page),
      responses: { 200: { description: 'By name', body: listOf(group) } },
    },
    async (call) => {
      const { cursor, limit } = call.query
      const after = fromCursor(cursor)
      const read = await verbs.pageGroups(reads, { after, limit: toRead(limit) })
      return pageOf(call, read, limit, { placeOf: (row) => row.group_name, show: toWire })
    },
  )

  api.route(
    {
      method: 'get',
      path: '/groups/{name}',
      scope: 'read',
      tag,
      operationId: 'getGroup',
      summary: 'Get a group',
      params: byName,
      responses: { 200: { description: 'The group. The ETag covers its limits.', body: group } },
    },
    async ({ params: { name } }) => {
      const found = await verbs.group(reads, name)
      if (found === null) throw notThere('group', name)
      return { status: 200, headers: { etag: etagOfGroup(found) }, body: toWire(found) }
    },
  )
}

function change(api: Api, context: HttpContext): void {
  const { verbs } = context
  api.route(
    {
      method: 'patch',
      path: '/groups/{name}',
      scope: 'operate',
      tag,
      operationId: 'setGroup',
      summary: 'Change the limits of a group, from the next claim on; null removes a limit',
      heedsIfMatch: true,
      params: byName,
      body: groupChanges,
      responses: { 200: { description: 'The group afterwards', body: group } },
    },
    async (call) => {
      const { name } = call.params
      const after = await edit(call, {
        ...editedGroup(context, name),
        write: (db) => verbs.setGroup(db, name, call.body as Json),
      })
      return { status: 200, headers: { etag: etagOfGroup(after) }, body: toWire(after) }
    },
  )

  registerPausing(api, context, {
    things: 'groups',
    tag,
    edited: (name) => editedGroup(context, name),
    pause: {
      verb: 'pauseGroup',
      operationId: 'pauseGroup',
      summary: 'Pause a group: none of its tasks starts, in any queue',
      description: 'Group paused',
    },
    resume: {
      verb: 'resumeGroup',
      operationId: 'resumeGroup',
      summary: 'Resume a group: its tasks start again',
      description: 'Group resumed',
    },
  })
}

function editedGroup({ verbs }: HttpContext, name: string) {
  return {
    kind: 'group' as const,
    name,
    read: (db: Queryable) => verbs.group(db, name),
    etag: etagOfGroup,
  }
}

function toWire(row: GroupStats) {
  return onTheWire(group, { ...row, group: row.group_name })
}

function etagOfGroup({ max_running, gap, gap_from, rate, rate_window, weight }: GroupStats) {
  return etagOf({ max_running, gap, gap_from, rate, rate_window, weight })
}
