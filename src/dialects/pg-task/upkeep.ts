import { escapeIdentifier } from 'pg'
import { type Chore, defineChore } from '../../chores/chore.ts'
import { pgTask } from '../pg-task.ts'
import { schemasSpeaking } from '../schemas-speaking.ts'

/**
 * Keeps task tables in step: writes what could not be written when a task ended, because a transaction held
 * its row, and ends what is past its time. The engine's own chore does that twice a minute; rows of a task
 * table are to be GONE within two seconds.
 */
export function pgTaskUpkeep(engineSchema: string): Chore {
  return defineChore({
    name: 'pg_task_upkeep',
    everyMs: 1_000,
    strategy: 'lease',
    run: async ({ db, batch, log }) => {
      let processed = 0
      const schemas = await schemasSpeaking(db, pgTask.name, engineSchema)
      if (schemas.length === 0) return { processed }
      const expiring = `select count(*)::int as gone from ${escapeIdentifier(engineSchema)}.expire($1::integer)`
      processed += (await db.query<{ gone: number }>(expiring, [batch])).rows[0]?.gone ?? 0
      for (const schema of schemas) {
        try {
          const text = `select ${escapeIdentifier(schema)}.write_owed($1::integer) as written`
          const { rows } = await db.query<{ written: number }>(text, [batch])
          processed += rows[0]?.written ?? 0
        } catch (err) {
          log.warn({ err, schema }, 'cannot update the rows of ended tasks')
        }
      }
      return { processed }
    },
  })
}
