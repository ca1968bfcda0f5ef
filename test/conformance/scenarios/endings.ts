import type { ClaimedTask } from '../../../src/engine/task.ts'
import type { TestEngine } from '../../support/test-engine.ts'
import type { Subject } from '../scenario.ts'

/** A way in which a task ends. */
export interface Ending {
  readonly name: string
  readonly about: readonly Subject[]
  readonly state: 'done' | 'failed' | 'cancelled'
  readonly reason: string | null
  readonly event: string
  /** Null where the engine writes an error of its own. */
  readonly output: unknown
  readonly error: unknown
  /** Whether an attempt that did not succeed is written down. */
  readonly notesAttempt: boolean
  /** Whether the worker that holds the task is notified. */
  readonly tellsWorker: boolean
  readonly end: (engine: TestEngine, task: ClaimedTask) => Promise<unknown>
}

const error = { code: 'broken', message: 'it broke' }

const done = { state: 'done', reason: null, event: 'complete', error: null } as const
const failed = { state: 'failed', event: 'fail', output: null, notesAttempt: true } as const

/** Every way in which a task that runs ends. */
export const endings: readonly Ending[] = [
  {
    ...done,
    name: 'complete',
    about: ['end'],
    output: { sent: true },
    notesAttempt: false,
    tellsWorker: false,
    end: (engine, task) => engine.complete(task, { sent: true }),
  },
  {
    ...failed,
    name: 'kill',
    about: ['end'],
    reason: 'killed',
    error,
    tellsWorker: false,
    end: (engine, task) => engine.kill(task, error),
  },
  {
    ...failed,
    name: 'fail without another attempt',
    about: ['end', 'requeue'],
    reason: 'error',
    error,
    tellsWorker: false,
    end: (engine, task) => engine.fail(task, error, { retry: false }),
  },
  {
    ...failed,
    name: 'reject after the last attempt',
    about: ['end', 'requeue'],
    reason: 'rejected',
    error,
    tellsWorker: false,
    end: async (engine, task) => {
      await engine.rows('update tasks set max_attempts = 1 where id = $1', task.id)
      await engine.reject(task, error)
      await engine.rows(
        'update finished set max_attempts = $1 where id = $2',
        task.max_attempts,
        task.id,
      )
    },
  },
  {
    ...failed,
    name: 'kill_running',
    about: ['end', 'cancel'],
    reason: 'killed',
    error,
    tellsWorker: true,
    end: (engine, task) => engine.killRunning(task.id, error),
  },
  {
    name: 'cancel',
    about: ['end', 'cancel'],
    state: 'cancelled',
    reason: 'aborted',
    event: 'cancel',
    output: null,
    error: null,
    notesAttempt: false,
    tellsWorker: true,
    end: (engine, task) => engine.cancel(task.id),
  },
]
