import type { Check } from '../check.ts'
import { indexes as readIndexes } from '../relations.ts'

export const indexes: Check = {
  name: 'indexes',
  fine: 'All indexes are valid.',
  needsEngine: true,
  look: async (at) =>
    (await readIndexes(at))
      .filter(({ is_valid }) => !is_valid)
      .map(({ name, table }) => ({
        level: 'problem' as const,
        message: `The index ${name} of ${table} is invalid: writes pay for it, and no query may use it.`,
        hint: `If the engine made it: reindex index concurrently ${at.quotedSchema}."${name}". If it was made by hand: drop index concurrently.`,
        details: { index: name, table },
      })),
}
