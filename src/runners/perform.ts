import type { Context } from '../tasks/context.ts'
import type { AnyTask } from '../tasks/define-task.ts'
import { abandon, conclude, type Ending } from './conclude.ts'
import type { Outcome } from './outcome.ts'
import { isReady, preparePayload } from './prepare-payload.ts'
import type { Run } from './run.ts'
import { type Errands, RunContext } from './run-context.ts'

/** Runs around each handler; what `next` resolves to is the handler's answer. */
export type Middleware = (context: Context, next: () => Promise<unknown>) => Promise<unknown>

/** What all runs of a worker share. */
export interface Stage {
  readonly errands: Errands
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
  try {
    answer = answerOf(task, run, stage)
  } catch (error) {
    end(task, run, stage, { threw: { error } })
    return undefined
  }
  if (!isPromise(answer)) {
    end(task, run, stage, { returned: answer })
    return undefined
  }
  const promised = answer
  return new Promise((free) => {
    const over = (how: Ending) => {
      if (end(task, run, stage, how)) free()
    }
    run.onAbort = () => giveUpLater(run, stage, free)
    promised.then(
      (returned) => over({ returned }),
      (error: unknown) => over({ threw: { error } }),
    )
  })
}

/** Performs many tasks with one call of their handler; each has an outcome of its own. */
export async function performBatch(
  task: AnyTask,
  runs: readonly Run[],
  stage: Stage,
): Promise<void> {
  const prepared = await Promise.all(
    runs.map(async (run) => {
      const { version, payload } = run.row
      const how = await ending(() => preparePayload(task, version, payload))
      if (how.threw !== undefined) end(task, run, stage, how)
      return { run, how, context: new RunContext(run, stage.errands) }
    }),
  )
  const fit = prepared.filter(({ how }) => how.threw === undefined)
  if (fit.length === 0) return
  const items = fit.map(({ how, context }) => ({
    payload: ('returned' in how ? how.returned : undefined) as never,
    context,
  }))
  await new Promise<void>((free) => {
    let open = fit.length
    const freeOne = () => {
      open -= 1
      if (open === 0) free()
    }
    for (const { run } of fit) run.onAbort = () => giveUpLater(run, stage, freeOne)
    void ending(async () => task.batch?.run(items)).then((how) => {
      fit.forEach(({ run }, at) => {
        const own = how.threw === undefined ? answerAt(how.returned, at, fit.length) : how
        if (end(task, run, stage, own)) freeOne()
      })
    })
  })
}

function answerOf(task: AnyTask, run: Run, { errands, middleware }: Stage): unknown {
  const context = new RunContext(run, errands)
  const { version, payload } = run.row
  if (middleware === undefined && isReady(task, version))
    return task.run?.(payload as never, context)
  const work = async () => {
    const given = await preparePayload(task, version, payload)
    return task.run?.(given as never, context)
  }
  return middleware === undefined ? work() : middleware(context, work)
}

function isPromise(answer: unknown): answer is PromiseLike<unknown> {
  return typeof answer === 'object' && answer !== null && 'then' in answer
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
