import pg from 'pg'
import type { Queryable } from '../db/queryable.ts'
import { call } from '../engine/call.ts'
import type { ClaimedRow } from '../engine/claim-batch.ts'
import type { Verbs } from '../engine/verbs.ts'
import { type Middleware, perform, performBatch, type Stage } from '../runners/handler/perform.ts'
import type { TaskActions } from '../runners/handler/run-context.ts'
import { type AnyTask, versionsTaken } from '../tasks/define-task.ts'
import { Crashes } from './crashes.ts'
import { openInlineActions } from './inline-actions.ts'
import { InlineRun } from './inline-run.ts'
import type { RanTask } from './ran-task.ts'
import { reportOutcome } from './report-outcome.ts'
import { ranTask } from './tell-run.ts'

/** It is never renewed: long enough for all that a test does, debugging included. */
const leaseMs = 3_600_000

export interface InlineWorkerParts {
  readonly verbs: Verbs
  readonly pool: pg.Pool
  readonly db: Queryable
  readonly schema: string
  readonly tasks: readonly AnyTask[]
  readonly middleware: Middleware | undefined
  readonly graceMs: number
}

/**
 * Does what a worker does, one task after the other and inside the caller's await: claims, runs,
 * reports through the same verbs. What decides about a task is the same code as in production.
 */
export class InlineWorker {
  /** Where the next runs die. */
  readonly crashes: Crashes = new Crashes()
  readonly #parts: InlineWorkerParts
  readonly #actions: TaskActions
  readonly #tasks: ReadonlyMap<string, AnyTask>
  readonly #timeouts = new Map<string, number>()

  constructor(parts: InlineWorkerParts) {
    this.#parts = parts
    this.#actions = openInlineActions({
      ...parts,
      lease: `${leaseMs} milliseconds`,
      crashes: this.crashes,
    })
    const runnable = parts.tasks.filter(
      ({ run, batch }) => run !== undefined || batch !== undefined,
    )
    this.#tasks = new Map(runnable.map((task) => [task.name, task]))
  }

  /** What workers do besides: rescues, fails what is past its deadline, counts. */
  async keepHouse(): Promise<void> {
    const { verbs, db } = this.#parts
    await verbs.rescue(db)
    await verbs.tidy(db)
    while ((await verbs.fire(db)).next_in_ms === 0);
  }

  /** Runs the next task that is due, or as many as its batch handler takes; none if nothing is due. */
  async runNext(most: number): Promise<RanTask[]> {
    for (const queue of await this.#queuesInOrder()) {
      const [first] = await this.#claim(queue, 1, [...this.#tasks.values()])
      if (first === undefined) continue
      const task = this.#tasks.get(first.handler ?? '')
      if (task === undefined) throw new Error(`task ${first.id} is for ${first.handler}`)
      const alike =
        task.batch === undefined
          ? []
          : await this.#claim(queue, Math.min(task.batch.size, most) - 1, [task])
      return this.#run([first, ...alike].map((row) => new InlineRun(row, task)))
    }
    return []
  }

  /** Queues with something due, the one that has waited longest first; limits may still forbid it. */
  async #queuesInOrder(): Promise<string[]> {
    const { db, schema } = this.#parts
    const rows = await call<{ queue: string }>(
      db,
      `select queue
       from ${pg.escapeIdentifier(schema)}.task
       where state in ('ready', 'blocked') and kind = 'handler' and handler = any ($1)
       group by queue
       order by min(run_at), min(id)`,
      [[...this.#tasks.keys()]],
    )
    return rows.map(({ queue }) => queue)
  }

  #claim(queue: string, limit: number, tasks: readonly AnyTask[]): Promise<ClaimedRow[]> {
    const { verbs, db } = this.#parts
    return verbs.claimBatch(db, {
      queues: [{ queue, hints: [] }],
      limit,
      worker: 'pgtusk/testing',
      leaseMs,
      kinds: ['handler'],
      handlers: tasks.map(({ name }) => name),
      versionsFrom: tasks.map((task) => versionsTaken(task).from),
      versionsTo: tasks.map((task) => versionsTaken(task).to),
    })
  }

  /** All of one task: a batch, or a single one. */
  async #run(runs: readonly InlineRun[]): Promise<RanTask[]> {
    const [first] = runs
    if (first === undefined) return []
    for (const run of runs) run.begin(await this.#timeoutMs(run))
    const stage = this.#stage(runs)
    if (first.task.batch === undefined) await perform(first.task, first, stage)
    else await performBatch(hearing(first.task, runs), runs, stage)
    const ran: RanTask[] = []
    for (const run of runs) ran.push(await this.#report(run))
    return ran
  }

  #stage(runs: readonly InlineRun[]): Stage {
    const { middleware, graceMs } = this.#parts
    return {
      actions: this.#actions,
      graceMs,
      middleware: (context, next) =>
        hear(runs, async () => (middleware === undefined ? next() : middleware(context, next))),
      report: (run, outcome) => {
        ;(run as InlineRun).outcome = outcome
      },
    }
  }

  async #report(run: InlineRun): Promise<RanTask> {
    const { verbs, db } = this.#parts
    if (run.lines.length > 0) await verbs.log(db, run.lines)
    if (run.isCrashed) return this.#lose(run)
    const outcome = await reportOutcome(verbs, db, run, run.outcome)
    return ranTask(run, outcome, await verbs.task(db, run.id))
  }

  /** As if its process had died: nothing is reported, and its lease is over. */
  async #lose(run: InlineRun): Promise<RanTask> {
    const { verbs, db, schema } = this.#parts
    await db.query(
      `update ${pg.escapeIdentifier(schema)}.claims set expires_at = clock_timestamp() where id = $1`,
      [run.claim],
    )
    await verbs.rescue(db)
    return ranTask(run, { kind: 'dropped' }, await verbs.task(db, run.id))
  }

  /** As the task says, else as its definition does; text is read by Postgres, as Postgres does. */
  async #timeoutMs({ row, task }: InlineRun): Promise<number | null> {
    const { name, timeout } = task
    if (row.timeout_ms !== null) return row.timeout_ms
    if (typeof timeout !== 'string') return timeout ?? null
    const known = this.#timeouts.get(name)
    if (known !== undefined) return known
    const text = `select (extract(epoch from $1::interval) * 1000)::float8 as ms`
    const [{ ms } = { ms: 0 }] = await call<{ ms: number }>(this.#parts.db, text, [timeout])
    this.#timeouts.set(name, ms)
    return ms
  }
}

/** The same task; what its batch handler throws is remembered with the runs. */
function hearing(task: AnyTask, runs: readonly InlineRun[]): AnyTask {
  const { batch } = task
  if (batch === undefined) return task
  return { ...task, batch: { ...batch, run: (items) => hear(runs, () => batch.run(items)) } }
}

async function hear<T>(runs: readonly InlineRun[], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    for (const run of runs) run.thrown = error
    throw error
  }
}
