/** Pages to say what is to be done: in a file of their own, so that the first page is there sooner. */
export { NewTask } from './new-task/new-task.tsx'
export { Plan } from './plan/plan.tsx'
export { SchedulePage } from './schedules/schedule.tsx'
export { Schedules } from './schedules/schedules.tsx'
export { Settings } from './settings/settings.tsx'
