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
 * Performs one task and reports its outcome. Resolves when the handler's place is free again, which
 * is when it ended or was given up; never rejects.
 */
export async function perform(task: AnyTask, run: Run, stage: Stage): Promise<void> {
  const over = watchOver([run], stage)
  const context = new RunContext(run, stage.errands)
  const { middleware } = stage
  const work = async () => {
    const { version, payload } = run.row
    const given = isReady(task, version) ? payload : await preparePayload(task, version, payload)
    return task.run?.(given as never, context)
  }
  const ended = ending(middleware === undefined ? work : () => middleware(context, work))
  await Promise.race([
    over.given,
    ended.then((how) => over.settle(run, () => conclude(task, run, how))),
  ])
}

/** Performs many tasks with one call of their handler; each has an outcome of its own. */
export async function performBatch(
  task: AnyTask,
  runs: readonly Run[],
  stage: Stage,
): Promise<void> {
  const over = watchOver(runs, stage)
  const conclusion = (run: Run, how: Ending) => over.settle(run, () => conclude(task, run, how))
  const prepared = await Promise.all(
    runs.map(async (run) => {
      const { version, payload } = run.row
      const how = await ending(() => preparePayload(task, version, payload))
      if (how.threw !== undefined) conclusion(run, how)
      return { run, how, context: new RunContext(run, stage.errands) }
    }),
  )
  const fit = prepared.filter(({ how }) => how.threw === undefined)
  if (fit.length === 0) return
  const items = fit.map(({ how, context }) => ({
    payload: ('returned' in how ? how.returned : undefined) as never,
    context,
  }))
  const ended = ending(async () => task.batch?.run(items)).then((how) => {
    const answers = how.threw === undefined ? how.returned : undefined
    fit.forEach(({ run }, at) => {
      conclusion(run, how.threw === undefined ? answerAt(answers, at, fit.length) : how)
    })
  })
  await Promise.race([over.given, ended])
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

/** Reports each run once: when it ends, or when it was told to stop and its grace is over. */
function watchOver(runs: readonly Run[], { graceMs, report }: Stage) {
  const open = new Set(runs)
  let giveUp = () => {}
  const given = new Promise<void>((resolve) => {
    giveUp = resolve
  })
  const settle = (run: Run, outcome: () => Outcome) => {
    if (!open.delete(run)) return
    run.end()
    report(run, outcome())
    if (open.size === 0) giveUp()
  }
  for (const run of runs) {
    run.onAbort = () => {
      setTimeout(() => settle(run, () => abandon(run)), graceMs).unref()
    }
  }
  return { given, settle }
}
