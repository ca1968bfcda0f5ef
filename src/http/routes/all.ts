import type { HttpContext } from '../http-context.ts'
import type { Api } from '../route.ts'
import { register as claims } from './claims.ts'
import { register as enqueue } from './enqueue.ts'
import { register as executors } from './executors.ts'
import { register as health } from './health.ts'
import { register as info } from './info.ts'
import { register as taskActions } from './task-actions.ts'
import { register as taskDetails } from './task-details.ts'
import { register as tasks } from './tasks.ts'

/** Every file of this folder, in the order in which they are documented. */
const all: readonly ((api: Api, context: HttpContext) => void)[] = [
  enqueue,
  tasks,
  taskDetails,
  taskActions,
  claims,
  executors,
  info,
  health,
]

export function registerAll(api: Api, context: HttpContext): void {
  for (const register of all) register(api, context)
}
