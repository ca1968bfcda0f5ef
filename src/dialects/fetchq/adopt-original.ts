import type { ClientBase } from 'pg'
import { type Target, withClient } from '../../db/with-client.ts'
import { TuskError } from '../../lib/errors.ts'
import { requireOptions } from '../../lib/require-known.ts'
import { fetchq } from '../fetchq.ts'
import { installDialect } from '../install-dialect.ts'
import { readInstalledDialect } from '../list-dialects.ts'
import { keptSchemas } from './kept-schemas.ts'

/** How an installation of the original Fetchq is taken over. */
export interface AdoptFetchqOptions {
  readonly engineSchema?: string | undefined
  /** Says what would happen, and changes nothing. */
  readonly dryRun?: boolean | undefined
}

/**
 * Takes over an installation of Fetchq 4.x: renames its schemas, installs the dialect in their place and moves
 * queues, documents, logs, counters and settings, all in one transaction. Gives the steps that were taken, or would be.
 */
export async function adoptFetchq(
  target: Target,
  options: AdoptFetchqOptions = {},
): Promise<string[]> {
  requireOptions('adoptFetchq()', options, { engineSchema: true, dryRun: true })
  const { engineSchema, dryRun = false } = options
  return withClient(target, async (client) => {
    await requireOriginal(client)
    let steps: string[] = []
    await installDialect(client, {
      dialect: fetchq,
      engineSchema,
      before: async (within) => {
        for (const { name, kept } of keptSchemas)
          await within.query(`alter schema ${name} rename to ${kept}`)
      },
      within: async (within) => {
        const { rows } = await within.query<{ step: string }>(
          `select step from ${fetchq.schema}.adopt_original($1, $2, $3) as step`,
          [...keptSchemas.map(({ kept }) => kept), dryRun],
        )
        steps = rows.map(({ step }) => step)
        return dryRun ? 'rollback' : 'commit'
      },
    })
    return steps
  })
}

/** Refuses a database without an installation to adopt, or with one that was adopted half-way by hand. */
async function requireOriginal(client: ClientBase): Promise<void> {
  const installed = await readInstalledDialect(client, fetchq.schema)
  if (installed !== undefined) {
    const hint =
      'There is nothing to adopt. `tusk dialect install fetchq` without --adopt upgrades it.'
    const message = `the schema ${fetchq.schema} already holds the dialect ${installed.name}`
    throw new TuskError('invalid_argument', message, { hint })
  }
  for (const { name, kept } of keptSchemas) {
    if (!(await hasSchema(client, name))) {
      throw new TuskError('invalid_argument', `there is no schema ${name}`, {
        hint: 'Fetchq 4.x has the schemas fetchq and fetchq_data. To begin without documents, leave --adopt out.',
      })
    }
    if (await hasSchema(client, kept)) {
      throw new TuskError('invalid_argument', `the schema ${kept} is there already`, {
        hint: `${name} is kept under that name. Rename or drop what an earlier move left there.`,
      })
    }
  }
}

async function hasSchema(client: ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query('select from pg_namespace where nspname = $1', [name])
  return rows.length > 0
}
