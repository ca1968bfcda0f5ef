/** What one part of the benchmark measured. */
export interface BenchResult {
  readonly part: 'enqueue' | 'drain' | 'pickup'
  readonly about: string
  readonly tasks: number
  readonly seconds: number
  readonly per_second: number
  readonly p50_ms: number | null
  readonly p95_ms: number | null
  readonly p99_ms: number | null
}

/** The value below which this share of all lies; null without any. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  const found = sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]
  return found === undefined ? null : round(found)
}

export function resultOf(
  part: BenchResult['part'],
  about: string,
  startedMs: number,
  tasks: number,
  times: readonly number[] = [],
): BenchResult {
  const seconds = (performance.now() - startedMs) / 1_000
  return {
    part,
    about,
    tasks,
    seconds: round(seconds),
    per_second: Math.round(tasks / seconds),
    p50_ms: percentile(times, 0.5),
    p95_ms: percentile(times, 0.95),
    p99_ms: percentile(times, 0.99),
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
