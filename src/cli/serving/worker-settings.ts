import type { AnyTask } from '../../tasks/define-task.ts'
import type { Schedules } from '../../tasks/schedule-settings.ts'
import type { Tasks } from '../../tasks/task-list.ts'
import type { Config } from '../config/config.ts'
import { loadTasks } from './load-tasks.ts'

/** The tasks of the module that is configured; none when none is. */
export async function tasksOf(config: Config): Promise<AnyTask[]> {
  const path = config.get('worker.handlers')
  return path === undefined ? [] : loadTasks(path)
}

/** As they stand in the file: the engine checks them when they are applied. */
export function workerSchedules(config: Config): Schedules<Tasks> | undefined {
  return config.get('schedules') as Schedules<Tasks> | undefined
}
