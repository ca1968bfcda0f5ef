import type { Check } from '../check.ts'
import { autovacuum } from './autovacuum.ts'
import { chores } from './chores.ts'
import { clock } from './clock.ts'
import { connections } from './connections.ts'
import { deadTuples } from './dead-tuples.ts'
import { dialects } from './dialects.ts'
import { drift } from './drift.ts'
import { durability } from './durability.ts'
import { grants } from './grants.ts'
import { indexes } from './indexes.ts'
import { logins } from './logins.ts'
import { notifications } from './notifications.ts'
import { owner } from './owner.ts'
import { pooler } from './pooler.ts'
import { queues } from './queues.ts'
import { schedules } from './schedules.ts'
import { schemaVersion } from './schema-version.ts'
import { sqlLogins } from './sql-logins.ts'
import { transactions } from './transactions.ts'
import { version } from './version.ts'
import { waits } from './waits.ts'
import { wraparound } from './wraparound.ts'
import { writable } from './writable.ts'

/** Everything that is looked at, what matters most first. */
export const allChecks: readonly Check[] = [
  version,
  writable,
  schemaVersion,
  dialects,
  owner,
  drift,
  grants,
  logins,
  sqlLogins,
  queues,
  chores,
  schedules,
  waits,
  transactions,
  deadTuples,
  autovacuum,
  wraparound,
  indexes,
  connections,
  notifications,
  pooler,
  durability,
  clock,
]
