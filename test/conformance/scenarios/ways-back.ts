import type { ClaimedTask } from '../../../src/engine/task.ts'
import type { TestEngine } from '../../support/test-engine.ts'
import type { Subject } from '../scenario.ts'

/** A way in which a task that runs goes back to its queue. */
export interface WayBack {
  readonly name: string
  readonly about: readonly Subject[]
  /** The attempt and iteration afterwards, of a task that ran for the first time. */
  readonly attempt: number
  readonly iteration: string
  /** Whether it counts as an attempt that is tried again. */
  readonly retried: number
  readonly keepsPlace: boolean
  readonly reason: string | null
  readonly back: (engine: TestEngine, task: ClaimedTask) => Promise<unknown>
}

export const error = { code: 'broken', message: 'it broke' }
const soon = () => new Date(Date.UTC(2022, 1, 1))

/** Every way in which a task goes back. */
export const waysBack: readonly WayBack[] = [
  {
    name: 'fail',
    about: ['requeue'],
    attempt: 1,
    iteration: '0',
    retried: 1,
    keepsPlace: false,
    reason: 'error',
    back: (engine, task) => engine.fail(task, error, { delay: '0' }),
  },
  {
    name: 'reject',
    about: ['requeue'],
    attempt: 1,
    iteration: '0',
    retried: 1,
    keepsPlace: false,
    reason: 'rejected',
    back: (engine, task) => engine.reject(task, error, '0'),
  },
  {
    name: 'rescue',
    about: ['rescue', 'requeue'],
    attempt: 1,
    iteration: '0',
    retried: 1,
    keepsPlace: true,
    reason: 'lost',
    back: async (engine) => {
      await engine.rows(`update claims set expires_at = clock_timestamp() - interval '1 second'`)
      await engine.rescue()
    },
  },
  {
    name: 'release',
    about: ['release', 'requeue'],
    attempt: 0,
    iteration: '0',
    retried: 0,
    keepsPlace: true,
    reason: null,
    back: (engine, task) => engine.release([task]),
  },
  {
    name: 'reschedule',
    about: ['reschedule'],
    attempt: 0,
    iteration: '1',
    retried: 0,
    keepsPlace: false,
    reason: null,
    back: (engine, task) => engine.reschedule(task, soon()),
  },
]
