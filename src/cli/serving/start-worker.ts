import type { Tasks } from '../../tasks/task-list.ts'
import type { WorkerOptions } from '../../worker/options.ts'
import type { Worker } from '../../worker/worker.ts'

/** Starts a worker. Its modules are loaded only then: most commands start none, and should not wait for them. */
export async function startWorker<const T extends Tasks>(
  options: WorkerOptions<T>,
): Promise<Worker> {
  const { startWorker: start } = await import('../../worker/worker.ts')
  return start(options)
}
