import type { Queryable } from '../../db/queryable.ts'
import { toClaimedTask } from '../../engine/claim-batch.ts'
import type { Json } from '../../engine/task.ts'
import { camelCase } from '../../lib/casing.ts'
import { TuskError } from '../../lib/errors.ts'
import type { ClaimedTask } from '../../tasks/claimed-task.ts'
import type { Context, LogLevel } from '../../tasks/context.ts'
import type { AnyTask } from '../../tasks/define-task.ts'
import type { Run } from '../run.ts'
import type { DurableActions } from './durable/actions.ts'
import { DurableRun } from './durable/durable-run.ts'

/** What a handler can do with its task while it runs. The worker provides the connections. */
export interface TaskActions extends DurableActions {
  progress(run: Run, progress: Json): Promise<void>
  log(run: Run, message: string, level: LogLevel): void
  extend(run: Run): Promise<void>
  transaction<Output extends Json>(
    run: Run,
    work: (db: Queryable) => Promise<Output>,
  ): Promise<Output>
}

/**
 * The context of a handler. Everything is created on first use, because most handlers use little of it. Nothing depends
 * on `this`, so a handler may destructure it.
 */
export class RunContext implements Context {
  readonly #run: Run
  readonly #actions: TaskActions
  readonly #kind: 'single' | 'batch'
  #task: ClaimedTask | undefined
  #durable: DurableRun | undefined

  constructor(run: Run, actions: TaskActions, kind: 'single' | 'batch' = 'single') {
    this.#run = run
    this.#actions = actions
    this.#kind = kind
  }

  get task(): ClaimedTask {
    this.#task ??= camelCase(toClaimedTask(this.#run.row))
    return this.#task
  }

  get attempt(): number {
    return this.#run.row.attempt
  }

  get signal(): AbortSignal {
    return this.#run.signal
  }

  get progress(): Context['progress'] {
    return (progress) => this.#actions.progress(this.#run, progress)
  }

  get log(): Context['log'] {
    return (message, level = 'info') => this.#actions.log(this.#run, message, level)
  }

  get extend(): Context['extend'] {
    return () => this.#actions.extend(this.#run)
  }

  get transaction(): Context['transaction'] {
    return (...given: [unknown, unknown?]) =>
      typeof given[0] === 'string'
        ? this.#steps.transaction(given[0], given[1] as never)
        : (this.#actions.transaction(this.#run, given[0] as never) as never)
  }

  get step(): Context['step'] {
    return (name, work, options) => this.#steps.step(name, work, options)
  }

  get delay(): Context['delay'] {
    return (name, time) => this.#steps.delay(name, time)
  }

  get receive(): Context['receive'] {
    return (signal, options) => this.#steps.receive(signal, options)
  }

  get spawn(): Context['spawn'] {
    return (task, payload, options) =>
      this.#steps.spawn(task as string | AnyTask, payload, options) as never
  }

  get join(): Context['join'] {
    return ((...given: unknown[]) =>
      Array.isArray(given[0])
        ? this.#steps.join(given[0], (given[1] ?? {}) as never)
        : this.#steps.join(given as never, {})) as Context['join']
  }

  get write(): Context['write'] {
    return (chunk) => this.#steps.write(chunk)
  }

  get version(): Context['version'] {
    return (name, current) => this.#steps.version(name, current)
  }

  /** Created when a handler takes its first step. Most never do. */
  get #steps(): DurableRun {
    if (this.#kind === 'batch') {
      throw new TuskError('wrong_state', 'a batch handler cannot take steps or wait', {
        hint: 'Run the task with a handler of its own, or spawn tasks that take the steps.',
      })
    }
    this.#durable ??= new DurableRun(this.#run, this.#actions)
    return this.#durable
  }
}
