import { escapeIdentifier } from 'pg'
import { type Chore, type ChoreContext, defineChore } from '../../chores/chore.ts'
import { fetchq } from '../fetchq.ts'
import { schemasSpeaking } from '../schemas-speaking.ts'

/**
 * Keeps house for every schema over an engine that speaks Fetchq, as a client's daemon would: packs
 * counters, takes snapshots, drops what is over. One that is installed later is found by itself.
 */
export function fetchqMaintenance(engineSchema: string): Chore {
  return defineChore({
    name: 'fetchq_maintenance',
    everyMs: 5_000,
    strategy: 'lease',
    run: async (context) => {
      let processed = 0
      for (const schema of await schemasSpeaking(context.db, fetchq.name, engineSchema))
        processed += await maintain(schema, context)
      return { processed }
    },
  })
}

/** Runs the jobs that are due. A schema that fails keeps no other from its own. */
async function maintain(schema: string, { db, batch, signal, log }: ChoreContext): Promise<number> {
  if (signal.aborted) return 0
  try {
    const { rows } = await db.query<{ processed: number }>(
      `select processed from ${escapeIdentifier(schema)}.mnt_job_run($1::integer)`,
      [batch],
    )
    return rows[0]?.processed ?? 0
  } catch (err) {
    log.warn({ err, schema }, 'maintenance of documents failed')
    return 0
  }
}
