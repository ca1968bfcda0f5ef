import { ServerClient } from '../db/server-client.js'
import { openEngine } from '../engine/verbs.ts'
import { TuskError } from '../lib/errors.ts'
import { connectionConfig } from './connections/connection-config.ts'
import type { OpenedOptions } from './options.ts'

/** The options of a worker that pushes, with the queues that have an endpoint now, unless they name queues. */
export async function withPushQueues(options: OpenedOptions): Promise<OpenedOptions> {
  const { push = false, tasks, sql = false, queues, database, schema = 'tusk' } = options
  if (push === false) return options
  if (tasks !== undefined || sql !== false) {
    throw new TuskError('invalid_argument', 'a worker that pushes runs nothing else', {
      hint: 'Start a second worker for tasks and SQL: leave out `push` there, and `tasks` and `sql` here.',
    })
  }
  if (queues !== undefined) return options
  const client = new ServerClient(connectionConfig(database))
  await client.connect()
  try {
    const found = await openEngine({ schema }).readPush(client, null)
    if (found.length > 0) return { ...options, queues: found.map(({ queue }) => queue) }
  } finally {
    await client.end()
  }
  throw new TuskError('invalid_argument', 'no queue has an endpoint to push to', {
    hint: `Set one: select ${schema}.set_push('mail', '{"url": "https://…", "secrets": [{"env": "TUSK_SECRET_PUSH"}]}')`,
  })
}
