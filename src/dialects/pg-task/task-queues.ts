import { escapeIdentifier } from 'pg'
import { type Target, withClient } from '../../db/with-client.ts'
import { listDialects } from '../list-dialects.ts'
import { pgTask } from '../pg-task.ts'

/** The queues of all task tables over an engine. */
export async function taskQueues(target: Target, engineSchema: string): Promise<string[]> {
  return withClient(target, async (client) => {
    const installed = (await listDialects(client)).filter(
      ({ name, engine_schema }) => name === pgTask.name && engine_schema === engineSchema,
    )
    const queues: string[] = []
    for (const { schema } of installed) {
      const { rows } = await client.query<{ queue: string }>(
        `select queue from ${escapeIdentifier(schema)}.task_tables order by queue`,
      )
      queues.push(...rows.map(({ queue }) => queue))
    }
    return queues
  })
}
