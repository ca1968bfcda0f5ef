import { escapeIdentifier } from 'pg'
import { translate } from '../../db/queryable.ts'
import { requireSchemaName } from '../../db/schema-name.ts'
import { type Target, withClient } from '../../db/with-client.ts'
import { requireOptions } from '../../lib/require-known.ts'
import { pgTask } from '../pg-task.ts'
import { type TaskTableOptions, taskTableOptions } from './create-task-table.ts'

/** Undoes adoptTaskTable(): the table is as pg_task made it, with what happened to its rows since. */
export async function releaseTaskTable(
  target: Target,
  options: TaskTableOptions = {},
): Promise<void> {
  requireOptions('releaseTaskTable()', options, taskTableOptions)
  const { schema = 'public', table = 'task', dialectSchema = pgTask.schema } = options
  const dialect = escapeIdentifier(requireSchemaName(dialectSchema))
  await withClient(target, async (client) => {
    try {
      await client.query(`select ${dialect}.release_task_table($1, $2)`, [schema, table])
    } catch (error) {
      throw translate(error)
    }
  })
}
