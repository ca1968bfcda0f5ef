import type { ComponentType } from 'preact'
import { later } from '../components/later.tsx'
import { Overview } from './overview/overview.tsx'
import type { PageEntry, PageProps } from './page.ts'

function acting(name: keyof typeof import('./acting.ts')): ComponentType<PageProps> {
  return later(async () => (await import('./acting.ts'))[name])
}

function looking(name: keyof typeof import('./looking.ts')): ComponentType<PageProps> {
  return later(async () => (await import('./looking.ts'))[name])
}

function planning(name: keyof typeof import('./planning.ts')): ComponentType<PageProps> {
  return later(async () => (await import('./planning.ts'))[name])
}

/** Every page there is, in the order of the navigation; those without an icon are reached by links. */
export const pages: readonly PageEntry[] = [
  { path: '/', title: 'Overview', component: Overview, icon: 'overview', key: 'o' },
  { path: '/tasks', title: 'Tasks', component: acting('Tasks'), icon: 'tasks', key: 't' },
  { path: '/tasks/:id', title: 'Task', component: acting('TaskPage') },
  { path: '/new', title: 'New task', component: planning('NewTask'), icon: 'console', key: 'n' },
  { path: '/queues', title: 'Queues', component: looking('Queues'), icon: 'queues', key: 'q' },
  { path: '/queues/:name', title: 'Queue', component: looking('Queue') },
  { path: '/groups/:name', title: 'Group', component: looking('Group') },
  {
    path: '/schedules',
    title: 'Schedules',
    component: planning('Schedules'),
    icon: 'schedules',
    key: 's',
  },
  { path: '/schedules/:name', title: 'Schedule', component: planning('SchedulePage') },
  { path: '/plan', title: 'Plan', component: planning('Plan') },
  { path: '/errors', title: 'Errors', component: looking('Errors'), icon: 'errors', key: 'e' },
  { path: '/workers', title: 'Workers', component: looking('Workers'), icon: 'workers', key: 'w' },
  { path: '/workers/:id', title: 'Worker', component: looking('Worker') },
  { path: '/chores', title: 'Chores', component: looking('Chores'), icon: 'chores', key: 'c' },
  {
    path: '/database',
    title: 'Database',
    component: looking('Database'),
    icon: 'database',
    key: 'd',
  },
  {
    path: '/audit',
    title: 'Audit',
    component: looking('Audit'),
    icon: 'audit',
    key: 'a',
    scope: 'admin',
  },
  {
    path: '/settings',
    title: 'Settings',
    component: planning('Settings'),
    icon: 'settings',
    key: ',',
  },
]
