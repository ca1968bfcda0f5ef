import type { Context } from '../../tasks/context.ts'
import type { AnyTask } from '../../tasks/define-task.ts'
import type { Outcome } from '../outcome.ts'
import type { Run } from '../run.ts'
import { abandon, conclude, type Ending } from './conclude.ts'
import { isReady, preparePayload } from './prepare-payload.ts'
import { RunContext, type TaskActions } from './run-context.ts'

/** Runs around each handler; what `next` resolves to is the handler's answer. */
export type Middleware = (context: Context, next: () => Promise<unknown>) => Promise<unknown>

/** What all runs of a worker share. */
export interface Stage {
  readonly actions: TaskActions
  readonly middleware: Middleware | undefined
  /** How long a handler that was told to stop may take to end. */
  readonly graceMs: number
  /** Told of each outcome, once per run. */
  readonly report: (run: Run, outcome: Outcome) => void
}

/**
 * Performs one task and reports its outcome. Answers with a promise that resolves when the handler's
 * place is free again, which is when it ended or was given up, and never rejects; with nothing if the
 * handler was done at once, which costs no turn of the event loop.
 */
export function perform(task: AnyTask, run: Run, stage: Stage): Promise<void> | undefined {
  let answer: unknown
  let promised: Promise<unknown> | undefined
  try {
    answer = answerOf(task, run, stage)
    // Anything may call itself a promise and throw when it is asked.
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
    // Middleware, if there is any, hears of it first.
    run.onSuspend ??= () => over({ returned: undefined })
    ended.then(
      (returned) => afterFinish(run, { returned }, over),
      (error: unknown) => afterFinish(run, { threw: { error } }, over),
    )
  })
}

/** What a durable task has not stored yet is stored before its end is told. */
function afterFinish(run: Run, how: Ending, over: (how: Ending) => void): void {
  if (run.finish === undefined || run.isSuspended) over(how)
  else {
    run.finish().then(
      () => over(how),
      (error: unknown) => over(how.threw === undefined ? { threw: { error } } : how),
    )
  }
}

/** Performs many tasks with one call of their handler; each has an outcome of its own. */
export function performBatch(task: AnyTask, runs: readonly Run[], stage: Stage): Promise<void> {
  return new Promise((free) => {
    let open = runs.length
    const freeOne = () => {
      open -= 1
      if (open === 0) free()
    }
    // First of all: one may have to stop while payloads are being prepared.
    for (const run of runs) run.onAbort = () => giveUpLater(run, stage, freeOne)
    void runBatch(task, runs, stage, (run, how) => {
      if (end(task, run, stage, how)) freeOne()
    })
  })
}

/** Tells how each of them ended; never rejects. */
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

/** The payload as its handler takes it. One that must stop by then is not begun: others may have it already. */
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

/** Middleware goes on when a task is suspended: its spans and timers must end. */
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

/** Tells whether this was its end: one that was given up has had it already. */
function end(task: AnyTask, run: Run, stage: Stage, how: Ending): boolean {
  if (!run.end()) return false
  stage.report(run, conclude(task, run, how))
  return true
}

/** One that was told to stop has a while to obey; then its place is given to others. */
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
