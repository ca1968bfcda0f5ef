import { toClaimedTask } from '../../engine/claim-batch.ts'
import type { Ended as Answer } from '../../engine/outcomes.ts'
import { camelCase } from '../../lib/casing.ts'
import { isLogged, type Logger } from '../../lib/logger.ts'
import type { Outcome } from '../../runners/outcome.ts'
import type { ClaimedTask } from '../../tasks/claimed-task.ts'
import type { AbortReason } from '../../tasks/context.ts'
import type { HeldTask } from '../leases/held-task.ts'
import type { WorkerEmitter } from './emitter.ts'
import { describeFailure, type FailedOutcome, failureEvent } from './failure.ts'

export interface TaskNewsOptions {
  readonly log: Logger
  readonly emitter: WorkerEmitter
  /** At which level a completed task is logged. */
  readonly completedLevel: 'debug' | 'info'
}

/**
 * Logs what becomes of tasks, and tells the worker's listeners. Nothing is made without a reader: a task that
 * succeeds costs two comparisons while its level is off and nothing listens.
 */
export class TaskNews {
  readonly #options: TaskNewsOptions
  readonly #tasks = new WeakMap<HeldTask, ClaimedTask>()
  #isIdle: boolean = false

  constructor(options: TaskNewsOptions) {
    this.#options = options
  }

  started(tasks: readonly HeldTask[]): void {
    const { emitter } = this.#options
    if (!emitter.hears('started')) return
    for (const task of tasks) emitter.emit('started', { task: this.#taskOf(task) })
  }

  /** Whether anything reads that tasks were completed; asked once for many. */
  get hearsCompleted(): boolean {
    const { emitter, log, completedLevel } = this.#options
    return emitter.hears('completed') || isLogged(log, completedLevel)
  }

  completed(task: HeldTask): void {
    const { emitter, log, completedLevel } = this.#options
    const durationMs = durationOf(task)
    log[completedLevel]({ ...fieldsOf(task), durationMs }, 'task completed')
    if (emitter.hears('completed'))
      emitter.emit('completed', { task: this.#taskOf(task), durationMs })
  }

  /** The database has stored an outcome; `answer` is what became of a failed attempt, if that is known. */
  ended(task: HeldTask, outcome: Outcome, answer?: Answer): void {
    const { emitter } = this.#options
    switch (outcome.kind) {
      case 'done':
      case 'committed':
        if (this.hearsCompleted) this.completed(task)
        break
      case 'failed':
      case 'rejected':
      case 'killed':
        this.#failed(task, outcome, answer)
        break
      case 'rescheduled':
        if (emitter.hears('rescheduled'))
          emitter.emit('rescheduled', {
            task: this.#taskOf(task),
            durationMs: durationOf(task),
            runAt: outcome.runAt,
          })
        break
      case 'released':
        if (emitter.hears('released'))
          emitter.emit('released', { task: this.#taskOf(task), wasStarted: task.startedMs > 0 })
        break
      case 'dropped':
      case 'suspended':
        break
    }
  }

  lost(task: HeldTask, reason: AbortReason): void {
    const { emitter } = this.#options
    if (emitter.hears('lost')) emitter.emit('lost', { task: this.#taskOf(task), reason })
  }

  /** There is something to do again. */
  busy(): void {
    this.#isIdle = false
  }

  /** Nothing is left to do; emitted once until there is something again. */
  idle(): void {
    if (this.#isIdle) return
    this.#isIdle = true
    this.#options.emitter.emit('idle', {})
  }

  /** A failed attempt is never silent: not even if it cannot be described. */
  #failed(task: HeldTask, outcome: FailedOutcome, answer: Answer | undefined): void {
    const { emitter, log } = this.#options
    const { line, ...failure } = failureEvent(task, outcome, answer)
    const fields = { ...fieldsOf(task), ...line, durationMs: durationOf(task) }
    const message = describeFailure(task, failure)
    const level = failure.isFinal ? 'error' : 'warn'
    try {
      log[level](fields, message)
    } catch {
      log[level]({ ...fields, err: undefined }, message)
    }
    if (emitter.hears('failed'))
      emitter.emit('failed', {
        task: this.#taskOf(task),
        durationMs: durationOf(task),
        ...failure,
      })
  }

  #taskOf(task: HeldTask): ClaimedTask {
    const known = this.#tasks.get(task)
    if (known !== undefined) return known
    const made = camelCase(toClaimedTask(task.row))
    this.#tasks.set(task, made)
    return made
  }
}

function fieldsOf({ row }: HeldTask) {
  const { id, queue, kind, handler, attempt, max_attempts } = row
  return { task: id, handler: handler ?? kind, queue, attempt, maxAttempts: max_attempts }
}

function durationOf({ startedMs, endedMs }: HeldTask): number {
  return Math.max(0, Math.round(endedMs - startedMs))
}
