import { performance } from 'node:perf_hooks'
import { buildError, buildOutput } from './build-output.ts'
import type { ExecutionResult } from './execute-request.ts'
import { type Fault, faultOf } from './fault.ts'
import { buildPreamble } from './preamble.ts'
import { ResultCollector } from './session/result-collector.ts'
import type { Session } from './session/session.ts'
import type { SqlRequest } from './sql-request.ts'

/** The SQLSTATE with which a durable procedure ends its run to wait. */
const waitsCode = 'TK101'

/** Postgres raises it when a procedure commits where it cannot. */
const cannotCommit = '2D000'
const hint =
  'Call step(), delay() and await() in the procedure itself, or in procedures that it calls: not in a block with EXCEPTION, and not in a function.'

/**
 * Runs a durable procedure in a session, and leaves the session clean or marked as spent. Its steps commit, and its
 * last transaction completes the task. `run` proves to the engine which task the session belongs to. It is bound as a
 * parameter, so that the view of running statements does not show it. Never throws.
 */
export async function executeProcedure(
  session: Session,
  request: SqlRequest,
  run: string,
): Promise<ExecutionResult> {
  const startedMs = performance.now()
  const collector = new ResultCollector(request.limits)
  const prepared = await session.pipe([
    ...buildPreamble(session, request, false).map((text) => ({ text })),
    { text: `select pg_catalog.set_config('tusk.run', $1, false)`, values: [run] },
  ])
  const error = prepared.error ?? (await session.send(request.text, collector)).error
  session.executed += 1
  const msLeft = request.msLeft()
  if (!session.isSpent) await session.clean()
  const circumstances = { delivery: 'exactly_once', startedMs } as const
  const fault = faultOf(error)
  if (fault === undefined)
    return { kind: 'committed', output: buildOutput(session, collector, circumstances) }
  if (fault.code === waitsCode) return { kind: 'suspended' }
  return {
    kind: 'failed',
    isTimeout: fault.code === '57014' && msLeft !== null && msLeft <= 5,
    error: buildError(session, collector, withHint(fault), circumstances),
  }
}

function withHint(fault: Fault): Fault {
  if (fault.code !== cannotCommit) return fault
  return { ...fault, fields: { hint, ...fault.fields } }
}
