import { escapeLiteral } from 'pg'
import { foreignOwners } from '../../db/schema-owner.ts'
import { readDialects } from '../../dialects/list-dialects.ts'
import type { Check } from '../check.ts'
import { ask, type Examination, quoted } from '../examination.ts'
import type { Symptom } from '../finding.ts'
import { formatList } from '../format.ts'

/** Other roles that could change the code which verbs run with their owner's rights. */
export const owner: Check = {
  name: 'owner',
  fine: 'The schema and all in it belong to one role, and no other role can add to it.',
  needsEngine: true,
  look: async (at) => {
    const dialects = await readDialects(at.db)
    const above = dialects.filter(({ engine_schema }) => engine_schema === at.schema)
    const schemas = [at.schema, ...above.map(({ schema }) => schema)]
    const found = await Promise.all(schemas.map((schema) => faultsOf(at, schema)))
    return found.flatMap((faults) => (faults.length > 0 ? [asSymptom(faults)] : []))
  },
}

/** Measured by who owns the table `installed` of the engine: its functions have the same owner. */
export async function faultsOf(
  { db, quotedSchema }: Pick<Examination, 'db' | 'quotedSchema'>,
  schema: string,
): Promise<string[]> {
  const installed = escapeLiteral(`${quotedSchema}.installed`)
  const rows = await ask<{ message: string }>(
    { db },
    `select message
     from (${foreignOwners(
       `to_regnamespace(${escapeLiteral(quoted(schema))})`,
       `(select relowner from pg_catalog.pg_class where oid = to_regclass(${installed}))`,
     )}) as found
     order by rank, message`,
  )
  return rows.map(({ message }) => message)
}

function asSymptom(faults: string[]): Symptom {
  return {
    level: 'problem',
    message: `Another role can change code that Tusk runs with its owner's rights: ${formatList(faults)}.`,
    hint: 'Drop what you do not know. Then give the rest to the owner of the engine (alter schema … owner to …) and take back rights to create (revoke create on schema … from …).',
    details: { faults },
  }
}
