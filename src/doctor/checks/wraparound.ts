import type { Check } from '../check.ts'
import { askOne } from '../examination.ts'

export const wraparound: Check = {
  name: 'wraparound',
  fine: 'Old rows are frozen in time.',
  look: async (at) => {
    const { age } = await askOne<{ age: number }>(
      at,
      'select age(datfrozenxid)::integer as age from pg_database where datname = current_database()',
    )
    if (age < at.limits.frozenAge) return []
    return [
      {
        level: age >= 1_800_000_000 ? 'problem' : 'warning',
        message: `The oldest rows of this database are ${age} transactions old; at two billion Postgres stops taking writes.`,
        hint: 'Look for what holds back VACUUM (long transactions, prepared ones, replication slots), then: vacuum freeze',
        details: { age },
      },
    ]
  },
}
