import { escapeIdentifier } from 'pg'
import { requireSchemaName } from '../../db/schema-name.ts'
import type { Target } from '../../db/with-client.ts'
import { type KnownOptions, requireOptions } from '../../lib/require-known.ts'
import { installDialect } from '../install-dialect.ts'
import { pgTask } from '../pg-task.ts'
import { type TaskTableOptions, taskTableOptions } from './create-task-table.ts'

/** How a task table of the original pg_task is taken over. */
export interface AdoptTableOptions extends TaskTableOptions {
  readonly engineSchema?: string | undefined
  /** Says what would happen, and changes nothing. */
  readonly dryRun?: boolean | undefined
}

const adoptOptions: KnownOptions<AdoptTableOptions> = {
  ...taskTableOptions,
  engineSchema: true,
  dryRun: true,
}

/**
 * Takes over a table that pg_task made, where it is: its rows, ids, columns and indexes stay. Installs the
 * dialect if it is not there, in the same transaction. Gives the steps that were taken, or would be.
 */
export async function adoptTaskTable(
  target: Target,
  options: AdoptTableOptions = {},
): Promise<string[]> {
  requireOptions('adoptTaskTable()', options, adoptOptions)
  const { schema = 'public', table = 'task', engineSchema, dryRun = false } = options
  const dialectSchema = requireSchemaName(options.dialectSchema ?? pgTask.schema)
  let steps: string[] = []
  await installDialect(target, {
    dialect: pgTask,
    schema: dialectSchema,
    engineSchema,
    within: async (client) => {
      const { rows } = await client.query<{ step: string }>(
        `select step from ${escapeIdentifier(dialectSchema)}.adopt_task_table($1, $2, $3) as step`,
        [schema, table, dryRun],
      )
      steps = rows.map(({ step }) => step)
      return dryRun ? 'rollback' : 'commit'
    },
  })
  return steps
}
