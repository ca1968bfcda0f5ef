import type { RunsReport } from '../engine/leading.ts'
import type { Json } from '../engine/task.ts'
import { monotonicMs } from '../lib/monotonic.ts'

/** How one run went. */
export interface RunRecord {
  readonly processed: number
  readonly tookMs: number
  readonly error?: Json
}

interface Entry {
  runs: number
  processed: number
  errors: number
  totalMs: number
  maxMs: number
  lastMs: number
  endedAtMs: number
  okAtMs: number | undefined
  errorAtMs: number | undefined
  error: Json | undefined
}

/** How the chores of a worker went since its last report to the database, which gets sums instead of each run. */
export class RunStatistics {
  #entries = new Map<string, Entry>()

  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  note(chore: string, { processed, tookMs, error }: RunRecord): void {
    const now = monotonicMs()
    const isError = error !== undefined
    this.#add(chore, {
      runs: 1,
      processed,
      errors: isError ? 1 : 0,
      totalMs: tookMs,
      maxMs: tookMs,
      lastMs: tookMs,
      endedAtMs: now,
      okAtMs: isError ? undefined : now,
      errorAtMs: isError ? now : undefined,
      error,
    })
  }

  /** Reports what has gathered. What could not be reported is kept for the next time. */
  async tell<T>(say: (runs: RunsReport[]) => Promise<T>): Promise<T> {
    const reported = this.#entries
    this.#entries = new Map()
    const now = monotonicMs()
    try {
      return await say([...reported].map(([chore, entry]) => report(chore, entry, now)))
    } catch (error) {
      const later = this.#entries
      this.#entries = reported
      for (const [chore, entry] of later) this.#add(chore, entry)
      throw error
    }
  }

  #add(chore: string, later: Entry): void {
    const old = this.#entries.get(chore)
    if (old === undefined) {
      this.#entries.set(chore, later)
      return
    }
    this.#entries.set(chore, {
      ...later,
      runs: old.runs + later.runs,
      processed: old.processed + later.processed,
      errors: old.errors + later.errors,
      totalMs: old.totalMs + later.totalMs,
      maxMs: Math.max(old.maxMs, later.maxMs),
      okAtMs: later.okAtMs ?? old.okAtMs,
      errorAtMs: later.errorAtMs ?? old.errorAtMs,
      error: later.error ?? old.error,
    })
  }
}

function report(chore: string, entry: Entry, now: number): RunsReport {
  const { runs, processed, errors, lastMs, totalMs, maxMs, endedAtMs, okAtMs, errorAtMs } = entry
  return {
    chore,
    runs,
    processed,
    errors,
    last_ms: lastMs,
    total_ms: totalMs,
    max_ms: maxMs,
    ago_ms: now - endedAtMs,
    ...(okAtMs === undefined ? {} : { ok_ago_ms: now - okAtMs }),
    ...(errorAtMs === undefined ? {} : { error_ago_ms: now - errorAtMs }),
    ...(entry.error === undefined ? {} : { error: entry.error }),
  }
}
