import { performance } from 'node:perf_hooks'
import type {
  Delivery,
  SqlColumn,
  SqlError,
  SqlOutput,
  SqlResult,
} from '../../engine/sql-output.ts'
import type { Fault } from './fault.ts'
import type { RawColumn, RawResult, ResultCollector } from './session/result-collector.ts'
import type { Session } from './session/session.ts'

interface Circumstances {
  readonly delivery: Delivery
  readonly startedMs: number
}

/** Each attempt keeps its error with the results before it, so the limit is lower than for a success. */
const mostBytesOfError = 262_144

/** The columns whose type names are still unknown. */
export function findUnnamedTypes(session: Session, { results }: ResultCollector): RawColumn[] {
  return session.types.missing(results.flatMap(({ columns }) => columns ?? []))
}

export function buildOutput(
  session: Session,
  collector: ResultCollector,
  circumstances: Circumstances,
): SqlOutput {
  return { ...collected(session, collector), ...ran(session, circumstances) }
}

export function buildError(
  session: Session,
  collector: ResultCollector,
  { name, code, message, fields }: Fault,
  circumstances: Circumstances,
): SqlError {
  const { results, ...rest } = collected(session, collector)
  // Of the failed statement, only what it returned before the error counts.
  const begun = results.filter(({ tag, row_count }) => tag !== null || row_count > 0)
  return {
    name,
    code,
    message,
    ...fields,
    statement: collector.ended,
    ...withinBytes(begun, mostBytesOfError),
    ...rest,
    ...ran(session, circumstances),
  }
}

function collected(session: Session, collector: ResultCollector) {
  const { results, notices, resultsDropped, noticesDropped, isCut } = collector
  return {
    ...(isCut ? { cut: true as const } : {}),
    results: results.map((result) => finished(session, result)),
    notices,
    ...(resultsDropped > 0 ? { results_dropped: resultsDropped } : {}),
    ...(noticesDropped > 0 ? { notices_dropped: noticesDropped } : {}),
  }
}

function finished(session: Session, { columns, ...result }: RawResult): SqlResult {
  return { ...result, columns: columns?.map((column) => named(session, column)) ?? null }
}

function named(session: Session, column: RawColumn): SqlColumn {
  const { name, type_oid, typmod } = column
  return { name, type: session.types.of(column) ?? '???', type_oid, typmod }
}

function ran({ pid }: Session, { delivery, startedMs }: Circumstances) {
  return { delivery, pid, duration_ms: Math.round((performance.now() - startedMs) * 1_000) / 1_000 }
}

/** Keeps the first results, as many as fit. */
function withinBytes(results: readonly SqlResult[], most: number): { results: SqlResult[] } {
  let left = most
  const kept = results.map((result) => {
    const rows = result.rows.filter((row) => {
      left -= Buffer.byteLength(JSON.stringify(row))
      return left >= 0
    })
    left -= Buffer.byteLength(result.copy ?? '')
    const shorter =
      left < 0 && result.copy !== undefined
        ? { copy: '', copy_dropped: Buffer.byteLength(result.copy) }
        : {}
    return {
      ...result,
      ...shorter,
      rows,
      dropped: result.dropped + result.rows.length - rows.length,
    }
  })
  return { results: kept }
}

/** The error of a run that never started. */
export function buildSessionError({ name, code, message, fields }: Fault): SqlError {
  const nothing = { statement: 0, results: [], notices: [], pid: null, duration_ms: 0 }
  return { name, code, message, ...fields, ...nothing, delivery: 'exactly_once' }
}
