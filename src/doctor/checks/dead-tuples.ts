import type { Check } from '../check.ts'
import { tables } from '../relations.ts'

export const deadTuples: Check = {
  name: 'dead-tuples',
  fine: 'VACUUM keeps up with the tables.',
  needsEngine: true,
  look: async (at) => {
    const { deadTuples: most, deadShare } = at.limits
    const worn = (await tables(at)).filter(
      ({ rows, dead }) => dead >= Math.max(most, deadShare * rows),
    )
    return worn.map(({ name, dead, rows, last_vacuum_at }) => ({
      level: 'warning' as const,
      message: `The table ${name} has ${dead} dead tuples to ${Math.round(rows)} live ones; last vacuumed ${last_vacuum_at?.toISOString() ?? 'never'}.`,
      hint: `Look for long transactions first, then: vacuum analyze ${at.quotedSchema}.${name}`,
      details: { table: name, dead, rows, last_vacuum_at },
    }))
  },
}
