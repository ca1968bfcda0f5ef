import { z } from '@hono/zod-openapi'
import { noTask } from '../answers/unknown-task.ts'
import { EventFeed } from '../events/feed.ts'
import { openStream } from '../events/open-stream.ts'
import { readPlace } from '../events/place.ts'
import type { HttpContext } from '../http-context.ts'
import type { Api } from '../routing/route.ts'
import { id } from '../schemas/common.ts'

/** A client that asks for the head only would never read what follows. */
function headOnly(): Response {
  return new Response(null, { headers: { 'content-type': 'text/event-stream' } })
}

/** What happens to tasks, as it happens. */
export function register(api: Api, context: HttpContext): void {
  const feed = new EventFeed(context)
  api.route(
    {
      method: 'get',
      path: '/events',
      scope: 'read',
      tag: 'Events',
      operationId: 'followEvents',
      summary: 'Follow what happens to tasks, as server-sent events',
      description:
        'Each message has the id to go on from, with Last-Event-ID or `after`: none is lost and none comes twice. `ready` tells where the stream begins; `gap` that events before it are no longer kept, so look anew; `slow` that you did not keep up; `closing` that the server ends the stream. With `task`, also its `progress` and the lines of its `log`.',
      query: z.strictObject({
        after: z.string().optional().openapi({ description: 'The id of the last message seen.' }),
        queue: z.string().optional(),
        task: id.optional(),
        batch: z
          .enum(['true', 'false'])
          .optional()
          .openapi({ description: 'One message `events` with an array, instead of one for each.' }),
      }),
      isStream: true,
      responses: {
        200: {
          description: 'A stream that ends when you disconnect',
          contentType: 'text/event-stream',
        },
      },
    },
    async (call) => {
      const { after, queue, task, batch } = call.query
      const place = readPlace(call.request, after)
      if (task !== undefined && (await context.verbs.task(context.reads, task)) === null) {
        throw noTask(task)
      }
      if (call.request.method === 'HEAD') return { status: 200, response: headOnly() }
      const response = await openStream(context, feed, {
        queue,
        task,
        place,
        isBatched: batch === 'true',
        expiresAt: call.caller.expiresAt,
        signal: call.signal,
        readmit: () => call.readmit(),
        hangUp: () => call.hangUp(),
      })
      return { status: 200, response }
    },
  )
}
