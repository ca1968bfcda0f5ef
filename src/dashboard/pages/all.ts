import { Overview } from './overview/overview.tsx'
import type { PageEntry } from './page.ts'
import { TaskPage } from './task/task-page.tsx'
import { Tasks } from './tasks/tasks.tsx'

/** Every page there is, in the order of the navigation; those without an icon are reached by links. */
export const pages: readonly PageEntry[] = [
  { path: '/', title: 'Overview', component: Overview, icon: 'overview', key: 'o' },
  { path: '/tasks', title: 'Tasks', component: Tasks, icon: 'tasks', key: 't' },
  { path: '/tasks/:id', title: 'Task', component: TaskPage },
]
