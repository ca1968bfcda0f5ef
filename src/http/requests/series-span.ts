import { Problem } from '../answers/problem.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

const ranges = {
  '15m': 15 * minute,
  '1h': hour,
  '6h': 6 * hour,
  '24h': day,
  '7d': 7 * day,
} as const

/** Seconds per point; a chart has no use for more points than this gives. */
const widths = [minute, 10 * minute, hour, 6 * hour, day]
const mostPoints = 400

interface Asked {
  readonly range?: keyof typeof ranges | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Which time a chart is of, and how wide its points are. */
export function seriesSpan({ range, from, to }: Asked, now: Date = new Date()) {
  if (range !== undefined && from !== undefined) {
    throw refused('query.range', 'give a range or from, not both')
  }
  const end = to === undefined ? now : new Date(to)
  const start = from === undefined ? before(end, ranges[range ?? '1h']) : new Date(from)
  const seconds = (end.getTime() - start.getTime()) / 1000
  if (seconds <= 0) throw refused('query.from', 'must be before the end of the range')
  const width = widths.find((one) => seconds / one <= mostPoints)
  if (width === undefined) throw refused('query.from', 'the range must not be longer than a year')
  return { from: start, to: end, width }
}

function before(end: Date, seconds: number): Date {
  return new Date(end.getTime() - seconds * 1000)
}

function refused(path: string, message: string): Problem {
  return new Problem(422, 'invalid_request', `${path}: ${message}`, { errors: [{ path, message }] })
}
