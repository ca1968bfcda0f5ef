import type { Attempt, Step } from '../model.ts'

/** A line of the timeline: a step, or an attempt of the task that failed. */
export interface StepRow {
  readonly step: Step | null
  readonly attempt: Attempt | null
  /** Milliseconds since 1970. */
  readonly from: number
  readonly to: number
  /** Its place on the timeline, in percent of the whole. */
  readonly left: number
  readonly width: number
}

type Span = Omit<StepRow, 'left' | 'width'>

/** Steps and failed attempts in the order in which they began, the latest `most` of them. */
export function rowsOf(
  steps: readonly Step[],
  attempts: readonly Attempt[],
  nowMs: number,
  most: number,
): StepRow[] {
  const spans = [
    ...steps.map((step) => ({ step, attempt: null, ...spanOf(step, nowMs) })),
    ...attempts.map((attempt) => ({
      step: null,
      attempt,
      from: Date.parse(attempt.started_at ?? attempt.ended_at),
      to: Date.parse(attempt.ended_at),
    })),
  ]
  return onScale(spans.sort((a, b) => a.from - b.from).slice(-most))
}

/** A step that is not over lasts until now. */
function spanOf({ state, started_at, finished_at }: Step, nowMs: number) {
  const to = finished_at === null || state === 'retrying' ? nowMs : Date.parse(finished_at)
  const from = Date.parse(started_at ?? finished_at ?? '') || to
  return { from, to: Math.max(from, to) }
}

function onScale(spans: readonly Span[]): StepRow[] {
  // Not by spreading: arguments of a call have a limit.
  const start = spans[0]?.from ?? 0
  const end = spans.reduce((latest, { to }) => Math.max(latest, to), start)
  const percent = (ms: number) => (end === start ? 0 : (ms / (end - start)) * 100)
  return spans.map((span) => ({
    ...span,
    left: percent(span.from - start),
    width: percent(span.to - span.from),
  }))
}
