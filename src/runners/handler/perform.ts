import type { Context } from '../../tasks/context.ts'
import type { AnyTask } from '../../tasks/define-task.ts'
import type { Outcome } from '../outcome.ts'
import type { Run } from '../run.ts'
import { abandon, conclude, type Ending } from './conclude.ts'
import { isReady, preparePayload } from './prepare-payload.ts'
import { RunContext, type TaskActions } from './run-context.ts'

/** Runs around each handler. `next` resolves to what the handler returned. */
export type Middleware = (context: Context, next: () => Promise<unknown>) => Promise<unknown>

/** What all runs of a worker share. */
export interface Stage {
  readonly actions: TaskActions
  readonly middleware: Middleware | undefined
  /** How long a handler may take to end after it was asked to stop. */
  readonly graceMs: number
  /** Called with the outcome, once per run. */
  readonly report: (run: Run, outcome: Outcome) => void
}

/**
 * Runs one task and reports its outcome. Returns a promise that resolves when the slot is free again, because the
 * handler ended or was abandoned; it never rejects. Returns undefined if the handler finished synchronously, which
 * saves a turn of the event loop.
 */
export function perform(task: AnyTask, run: Run, stage: Stage): Promise<void> | undefined {
  let answer: unknown
  let promised: Promise<unknown> | undefined
  try {
    answer = answerOf(task, run, stage)
    // Any object may claim to be a promise and throw when its `then` is read.
    if (isPromise(answer) || run.finish !== undefined) promised = Promise.resolve(answer)
  } catch (error) {
    end(task, run, stage, { threw: { error } })
    return undefined
  }
  if (promised === undefined) {
    end(task, run, stage, { returned: answer })
    return undefined
  }
  const ended = promised
  return new Promise((free) => {
    const over = (how: Ending) => {
      if (end(task, run, stage, how)) free()
    }
    run.onAbort = () => giveUpLater(run, stage, free)
    // If there is middleware, it handles the suspension first.
    run.onSuspend ??= () => over({ returned: undefined })
    ended.then(
      (returned) => afterFinish(run, { returned }, over),
      (error: unknown) => afterFinish(run, { threw: { error } }, over),
    )
  })
}

/** A durable task stores what is not stored yet before its end is reported. */
function afterFinish(run: Run, how: Ending, over: (how: Ending) => void): void {
  if (run.finish === undefined || run.isSuspended) over(how)
  else {
    run.finish().then(
      () => over(how),
      (error: unknown) => over(how.threw === undefined ? { threw: { error } } : how),
    )
  }
}

/** Runs many tasks with one call of their handler. Each gets its own outcome. */
export function performBatch(task: AnyTask, runs: readonly Run[], stage: Stage): Promise<void> {
  return new Promise((free) => {
    let open = runs.length
    const freeOne = () => {
      open -= 1
      if (open === 0) free()
    }
    // Set first, because a run may have to stop while payloads are being prepared.
    for (const run of runs) run.onAbort = () => giveUpLater(run, stage, freeOne)
    void runBatch(task, runs, stage, (run, how) => {
      if (end(task, run, stage, how)) freeOne()
    })
  })
}

/** Reports how each of them ended. Never rejects. */
async function runBatch(
  task: AnyTask,
  runs: readonly Run[],
  { actions }: Stage,
  over: (run: Run, how: Ending) => void,
): Promise<void> {
  const prepared = await Promise.all(
    runs.map(async (run) => {
      const how = await ending(() => prepare(task, run))
      if (how.threw !== undefined) over(run, how)
      return { run, how }
    }),
  )
  const fit = prepared.flatMap(({ run, how }) =>
    how.threw === undefined
      ? [{ run, payload: how.returned as never, context: new RunContext(run, actions, 'batch') }]
      : [],
  )
  if (fit.length === 0) return
  const items = fit.map(({ payload, context }) => ({ payload, context }))
  const how = await ending(async () => task.batch?.run(items))
  fit.forEach(({ run }, at) => {
    over(run, how.threw === undefined ? answerAt(how.returned, at, fit.length) : how)
  })
}

/**
 * Prepares the payload for the handler. A task that has to stop meanwhile is not started, because another worker may
 * have it already.
 */
async function prepare(task: AnyTask, run: Run): Promise<unknown> {
  const payload = await preparePayload(task, run.row.version, run.row.payload)
  if (run.aborted !== undefined) throw run.aborted
  return payload
}

function answerOf(task: AnyTask, run: Run, { actions, middleware }: Stage): unknown {
  const context = new RunContext(run, actions)
  const { version, payload } = run.row
  if (middleware === undefined && isReady(task, version))
    return task.run?.(payload as never, context)
  const work = async () => task.run?.((await prepare(task, run)) as never, context)
  return middleware === undefined ? work() : middleware(context, () => untilSuspended(run, work))
}

/** Lets middleware continue when a task is suspended, so that its spans and timers end. */
function untilSuspended(run: Run, work: () => Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    run.onSuspend = () => resolve(undefined)
    work().then(resolve, reject)
  })
}

function isPromise(answer: unknown): answer is PromiseLike<unknown> {
  if (typeof answer !== 'object' || answer === null || !('then' in answer)) return false
  return typeof answer.then === 'function'
}

/** Ends a run. Returns false if it was abandoned before and has its outcome already. */
function end(task: AnyTask, run: Run, stage: Stage, how: Ending): boolean {
  if (!run.end()) return false
  stage.report(run, conclude(task, run, how))
  return true
}

/** A handler that was asked to stop gets a grace period. Then its slot is given to other tasks. */
function giveUpLater(run: Run, { graceMs, report }: Stage, free: () => void): void {
  setTimeout(() => {
    if (!run.end()) return
    report(run, abandon(run))
    free()
  }, graceMs).unref()
}

function answerAt(answers: unknown, at: number, wanted: number): Ending {
  if (Array.isArray(answers) && answers.length === wanted) return { returned: answers[at] }
  const message = 'a batch handler must return an array with one answer per task'
  return { threw: { error: new TypeError(message) } }
}

async function ending(work: () => Promise<unknown>): Promise<Ending> {
  try {
    return { returned: await work() }
  } catch (error) {
    return { threw: { error } }
  }
}
