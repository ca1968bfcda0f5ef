import type { Worker } from '../../worker/worker.ts'
import type { Service } from './services.ts'

/** A worker that is stopped with others. */
export function workerService(worker: Worker, deadlineMs?: number): Service {
  return {
    stop: () => worker.stop(deadlineMs === undefined ? {} : { deadlineMs }),
    hurry: () => void worker.stop({ deadlineMs: 0 }),
  }
}
