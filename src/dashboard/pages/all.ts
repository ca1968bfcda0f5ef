import { Audit } from './audit/audit.tsx'
import { Chores } from './chores/chores.tsx'
import { Database } from './database/database.tsx'
import { Errors } from './errors/errors.tsx'
import { Group } from './groups/group.tsx'
import { NewTask } from './new-task/new-task.tsx'
import { Overview } from './overview/overview.tsx'
import type { PageEntry } from './page.ts'
import { Plan } from './plan/plan.tsx'
import { Queue } from './queues/queue.tsx'
import { Queues } from './queues/queues.tsx'
import { SchedulePage } from './schedules/schedule.tsx'
import { Schedules } from './schedules/schedules.tsx'
import { Settings } from './settings/settings.tsx'
import { TaskPage } from './task/task-page.tsx'
import { Tasks } from './tasks/tasks.tsx'
import { Worker } from './workers/worker.tsx'
import { Workers } from './workers/workers.tsx'

/** Every page there is, in the order of the navigation; those without an icon are reached by links. */
export const pages: readonly PageEntry[] = [
  { path: '/', title: 'Overview', component: Overview, icon: 'overview', key: 'o' },
  { path: '/tasks', title: 'Tasks', component: Tasks, icon: 'tasks', key: 't' },
  { path: '/tasks/:id', title: 'Task', component: TaskPage },
  { path: '/new', title: 'New task', component: NewTask, icon: 'console', key: 'n' },
  { path: '/queues', title: 'Queues', component: Queues, icon: 'queues', key: 'q' },
  { path: '/queues/:name', title: 'Queue', component: Queue },
  { path: '/groups/:name', title: 'Group', component: Group },
  { path: '/schedules', title: 'Schedules', component: Schedules, icon: 'schedules', key: 's' },
  { path: '/schedules/:name', title: 'Schedule', component: SchedulePage },
  { path: '/plan', title: 'Plan', component: Plan },
  { path: '/errors', title: 'Errors', component: Errors, icon: 'errors', key: 'e' },
  { path: '/workers', title: 'Workers', component: Workers, icon: 'workers', key: 'w' },
  { path: '/workers/:id', title: 'Worker', component: Worker },
  { path: '/chores', title: 'Chores', component: Chores, icon: 'chores', key: 'c' },
  { path: '/database', title: 'Database', component: Database, icon: 'database', key: 'd' },
  { path: '/audit', title: 'Audit', component: Audit, icon: 'audit', key: 'a', scope: 'admin' },
  { path: '/settings', title: 'Settings', component: Settings, icon: 'settings', key: ',' },
]
