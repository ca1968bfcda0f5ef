import type { HttpContext } from '../http-context.ts'
import type { Api } from '../routing/route.ts'
import { register as audit } from './audit.ts'
import { register as chores } from './chores.ts'
import { register as claims } from './claims.ts'
import { register as database } from './database.ts'
import { register as durable } from './durable.ts'
import { register as enqueue } from './enqueue.ts'
import { register as errors } from './errors.ts'
import { register as events } from './events.ts'
import { register as executors } from './executors.ts'
import { register as grants } from './grants.ts'
import { register as groups } from './groups.ts'
import { register as health } from './health.ts'
import { register as info } from './info.ts'
import { register as keys } from './keys.ts'
import { register as metrics } from './metrics.ts'
import { register as operations } from './operations.ts'
import { register as push } from './push.ts'
import { register as queues } from './queues.ts'
import { register as scheduleActions } from './schedule-actions.ts'
import { register as schedules } from './schedules.ts'
import { register as sql } from './sql.ts'
import { register as stats } from './stats.ts'
import { register as taskActions } from './task-actions.ts'
import { register as taskDetails } from './task-details.ts'
import { register as tasks } from './tasks.ts'
import { register as tokens } from './tokens.ts'
import { register as workers } from './workers.ts'

/** Every file of this folder, in the order in which they are documented. */
const all: readonly ((api: Api, context: HttpContext) => void)[] = [
  enqueue,
  tasks,
  taskDetails,
  taskActions,
  durable,
  claims,
  executors,
  queues,
  push,
  groups,
  schedules,
  scheduleActions,
  operations,
  workers,
  chores,
  stats,
  errors,
  events,
  keys,
  sql,
  database,
  audit,
  tokens,
  grants,
  info,
  health,
  metrics,
]

export function registerAll(api: Api, context: HttpContext): void {
  for (const register of all) register(api, context)
}
