import { performance } from 'node:perf_hooks'
import { describeError } from '../describe-error.ts'
import { failed, type Outcome } from '../outcome.ts'
import type { Run } from '../run.ts'
import type { ExecutionResult } from './execute-request.ts'
import type { SqlRunner } from './sql-runner.ts'

/** A run that a worker holds. */
export interface SqlRun extends Run {
  readonly id: string
  readonly claim: string
  readonly startedAt: string | null
}

/** Runs one SQL task and reports its outcome. Resolves when its slot is free again, and never rejects. */
export async function performSql(
  run: SqlRun,
  runner: SqlRunner,
  timeoutMs: number | null,
  report: (run: Run, outcome: Outcome) => void,
): Promise<void> {
  const { id, claim, row } = run
  const endsMs = timeoutMs === null ? null : performance.now() + timeoutMs
  const job = runner.begin({
    id,
    claim,
    queue: row.queue,
    attempt: row.attempt,
    meta: row.meta,
    payload: row.payload,
    startedAt: () => run.startedAt,
    msLeft: () => (endsMs === null ? null : endsMs - performance.now()),
  })
  run.onAbort = () => job.interrupt()
  if (run.aborted !== undefined) job.interrupt()
  const outcome = await job.ended.then(
    (ran) => outcomeOf(run, ran),
    (error: unknown) => failed(describeError(error), { retry: false }),
  )
  if (outcome.kind === 'committed') run.isCommitted = true
  if (run.end()) report(run, outcome)
}

function outcomeOf(run: Run, ran: ExecutionResult): Outcome {
  switch (ran.kind) {
    case 'committed':
      return { kind: 'committed' }
    case 'done':
      return run.aborted?.reason === 'cancelled'
        ? { kind: 'dropped' }
        : { kind: 'done', output: JSON.stringify(ran.output) }
    case 'suspended':
      return { kind: 'suspended' }
    case 'lost':
      return { kind: 'dropped' }
    case 'failed':
      return failedBy(run, ran)
  }
}

function failedBy(
  run: Run,
  { error, isTimeout }: Extract<ExecutionResult, { kind: 'failed' }>,
): Outcome {
  const reason = run.aborted?.reason
  if (reason === 'cancelled') return { kind: 'dropped' }
  if (reason === 'shutdown' || reason === 'lease_lost') return { kind: 'released' }
  if (reason === 'timeout' || isTimeout) {
    // The same words, whether the server or the worker cancelled the statement.
    const message = 'canceling statement due to statement timeout'
    const timedOut = { ...error, code: '57014', message }
    return failed(JSON.stringify(timedOut), { reason: 'timeout' })
  }
  return failed(JSON.stringify(error))
}
