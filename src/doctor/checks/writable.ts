import type { Check } from '../check.ts'
import { askOne } from '../examination.ts'
import type { Symptom } from '../finding.ts'

interface Answer {
  readonly is_standby: boolean
  readonly is_read_only: boolean
}

export const writable: Check = {
  name: 'writable',
  fine: 'The database takes writes.',
  look: async (at) => {
    const { is_standby, is_read_only } = await askOne<Answer>(
      at,
      `select pg_is_in_recovery() as is_standby,
              current_setting('default_transaction_read_only')::boolean as is_read_only`,
    )
    if (is_standby) return [standby]
    return is_read_only ? [readOnly] : []
  },
}

const standby: Symptom = {
  level: 'problem',
  message: 'This is a standby: it can be read, and nothing else.',
  hint: 'Name the primary in the connection string; with several hosts: target_session_attrs=read-write',
}

const readOnly: Symptom = {
  level: 'problem',
  message: 'Transactions are read-only here (default_transaction_read_only).',
  hint: 'Set it off for this database or role: alter database … reset default_transaction_read_only',
}
