/** The pages of tasks: in a file of their own, so that the first page is there sooner. */
export { TaskPage } from './task/task-page.tsx'
export { Tasks } from './tasks/tasks.tsx'
