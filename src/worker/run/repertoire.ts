import type { ClaimedRow } from '../../engine/claim-batch.ts'
import { TuskError } from '../../lib/errors.ts'
import { type AnyTask, versionsTaken } from '../../tasks/define-task.ts'

/** What stands for the definition of a SQL task: its payload says it all. */
const sqlTask: AnyTask = { name: 'sql' }
/** What stands for the definition of a task that is delivered to an endpoint. */
const pushTask: AnyTask = { name: 'push' }

export interface RepertoireOptions {
  readonly runsSql?: boolean
  readonly pushes?: boolean
  /** How long a run may take if nothing else says it; null for ever. */
  readonly timeoutMs?: number | null
}

/** What a worker can run: its tasks, the versions of their payloads, how long each may take. */
export class Repertoire {
  readonly kinds: readonly ('handler' | 'sql')[]
  /** Null for any: a worker that pushes takes what its queues have. */
  readonly handlers: readonly string[] | null
  readonly versionsFrom: readonly number[] | null
  readonly versionsTo: readonly number[] | null
  /** The most tasks that one handler takes at once. */
  readonly largestBatch: number
  readonly #tasks: ReadonlyMap<string, AnyTask>
  readonly #timeoutMs: number | null
  readonly #timeouts = new Map<string, number>()

  constructor(
    tasks: readonly AnyTask[],
    { runsSql = false, pushes = false, timeoutMs = null }: RepertoireOptions = {},
  ) {
    const runnable = tasks.filter(({ run, batch }) => run !== undefined || batch !== undefined)
    if (runnable.length === 0 && !runsSql && !pushes) {
      throw new TuskError('invalid_argument', 'a worker needs at least one task that it can run', {
        hint: 'Give tasks with a `run` function or a `batch`, `sql: true`, or `push: true`.',
      })
    }
    this.#timeoutMs = timeoutMs
    this.#tasks = new Map(runnable.map((task) => [task.name, task]))
    this.kinds = [
      ...(runnable.length > 0 || pushes ? (['handler'] as const) : []),
      ...(runsSql ? (['sql'] as const) : []),
    ]
    this.handlers = pushes ? null : runnable.map(({ name }) => name)
    this.versionsFrom = pushes ? null : runnable.map((task) => versionsTaken(task).from)
    this.versionsTo = pushes ? null : runnable.map((task) => versionsTaken(task).to)
    this.largestBatch = Math.max(1, ...runnable.map(({ batch }) => batch?.size ?? 1))
  }

  /** The queues that it serves by default: those of its tasks. */
  get queues(): string[] {
    const own = [...this.#tasks.values()].map(({ name, queue }) => queue ?? name)
    return [...new Set(this.kinds.includes('sql') ? [...own, 'sql'] : own)]
  }

  /** claim() gives nothing else than what was asked for. */
  taskFor({ kind, handler, id }: ClaimedRow): AnyTask {
    if (kind === 'sql') return sqlTask
    if (this.handlers === null) return pushTask
    const task = this.#tasks.get(handler ?? '')
    if (task === undefined)
      throw new Error(
        `claimed task ${id} of the handler ${handler}, which this worker does not have`,
      )
    return task
  }

  /** Durations that are text: only Postgres reads them as Postgres does. */
  get textTimeouts(): [string, string][] {
    return [...this.#tasks.values()].flatMap(({ name, timeout }) =>
      typeof timeout === 'string' ? [[name, timeout] as [string, string]] : [],
    )
  }

  learnTimeouts(timeouts: Iterable<readonly [string, number]>): void {
    for (const [name, ms] of timeouts) this.#timeouts.set(name, ms)
  }

  /** How long a run may take: as the task or its queue says, else as its definition does, else as the worker does. */
  timeoutMs({ row, task }: { readonly row: ClaimedRow; readonly task: AnyTask }): number | null {
    if (row.timeout_ms !== null) return row.timeout_ms
    const { name, timeout } = task
    if (timeout === undefined) return this.#timeoutMs
    return typeof timeout === 'number' ? timeout : (this.#timeouts.get(name) ?? this.#timeoutMs)
  }
}
