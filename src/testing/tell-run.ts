import type { Task } from '../engine/task.ts'
import type { Outcome } from '../runners/outcome.ts'
import { Steered } from '../tasks/steering.ts'
import type { InlineRun } from './inline-run.ts'
import type { RanOutcome, RanTask } from './ran-task.ts'
import { parsed } from './report-outcome.ts'

const words: Readonly<Record<Outcome['kind'], RanOutcome>> = {
  done: 'done',
  committed: 'done',
  failed: 'failed',
  rescheduled: 'rescheduled',
  rejected: 'rejected',
  killed: 'killed',
  released: 'lost',
  dropped: 'lost',
  suspended: 'waiting',
}

/** A run and its outcome, in words for the one who wrote the test. */
export function ranTask(run: InlineRun, outcome: Outcome, after: Task | null): RanTask {
  const { id, handler, queue, attempt, payload } = run.row
  const output = outcome.kind === 'done' ? outcome.output : null
  return {
    id,
    name: handler ?? queue,
    queue,
    attempt,
    payload,
    outcome: words[outcome.kind],
    state: after?.state ?? null,
    output: parsed(outcome.kind === 'committed' ? run.committed : output),
    error: 'error' in outcome ? parsed(outcome.error) : null,
    thrown: run.thrown,
  }
}

/** The error of an attempt that failed: the handler's own if it threw one. */
export function failureOf({ name, error, thrown }: RanTask): Error {
  const { name: kind, message } = (error ?? {}) as { name?: unknown; message?: unknown }
  const isOwn = thrown instanceof Error && !(thrown instanceof Steered)
  if (isOwn && kind !== 'Timeout') return thrown
  return new Error(`${name} failed: ${String(message ?? JSON.stringify(error))}`, { cause: error })
}
