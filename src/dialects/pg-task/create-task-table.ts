import { escapeIdentifier } from 'pg'
import { requireSchemaName } from '../../db/schema-name.ts'
import { type Target, withClient } from '../../db/with-client.ts'
import { type KnownOptions, requireOptions } from '../../lib/require-known.ts'
import { pgTask } from '../pg-task.ts'

/** What a new task table is called, and its settings. */
export interface TaskTableOptions {
  /** The schema of the table, created if it is missing. By default `public`. */
  readonly schema?: string | undefined
  /** The name of the table, by default `task`. */
  readonly table?: string | undefined
  /** The schema into which the dialect was installed. */
  readonly dialectSchema?: string | undefined
}

export const taskTableOptions: KnownOptions<TaskTableOptions> = {
  schema: true,
  table: true,
  dialectSchema: true,
}

/** Makes a task table of the dialect `pg-task`, or brings it up to date. Gives the name of its queue. */
export async function createTaskTable(
  target: Target,
  options: TaskTableOptions = {},
): Promise<string> {
  requireOptions('createTaskTable()', options, taskTableOptions)
  const { schema = 'public', table = 'task', dialectSchema = pgTask.schema } = options
  const dialect = escapeIdentifier(requireSchemaName(dialectSchema))
  return withClient(target, async (client) => {
    await client.query(`select ${dialect}.create_task_table($1, $2)`, [schema, table])
    const { rows } = await client.query<{ queue: string }>(
      `select queue from ${dialect}.task_tables where schema = $1 and name = $2`,
      [schema, table],
    )
    return rows[0]?.queue ?? ''
  })
}
