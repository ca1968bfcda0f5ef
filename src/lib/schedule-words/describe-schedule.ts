import { describeCron } from './describe-cron.ts'
import { describeClock, describeTime } from './describe-time.ts'
import { describeInterval, parseInterval } from './interval.ts'
import { parseCron } from './parse-cron.ts'

/** The columns of the view `schedule` that decide when a schedule fires. */
export interface SchedulePlan {
  readonly cron: string | null
  readonly every: string | null
  readonly at: Date | null
  readonly zone: string
  readonly drift: 'planned' | 'finished'
  /** What `every` counts from. */
  readonly anchor: Date
}

/**
 * When a schedule fires, as an English sentence. The expression itself if it cannot be parsed.
 *
 * @example describeSchedule(schedule) // 'Every day at 02:30 (Europe/Berlin)'
 */
export function describeSchedule(plan: SchedulePlan): string {
  const { cron, every, at, zone } = plan
  if (cron !== null) {
    const parsed = parseCron(cron)
    return parsed === undefined ? cron : describeCron(parsed, zone)
  }
  if (every !== null) return describeEvery(every, plan)
  return at !== null && isDate(at) ? `Once, on ${describeTime(at, zone)}` : ''
}

/** Postgres has years that a Date cannot hold. */
function isDate(time: Date): boolean {
  return !Number.isNaN(time.getTime())
}

/** Days and months count from the anchor, so the sentence names it. Hours and minutes are elapsed time. */
function describeEvery(every: string, { zone, drift, anchor }: SchedulePlan): string {
  const interval = parseInterval(every)
  if (interval === undefined || !isDate(anchor)) return every
  const words = describeInterval(interval)
  if (drift === 'finished') return `${words} after the last run has ended`
  if (words === '1 day') return `Every day at ${describeClock(anchor, zone)}`
  const counted = words.replace(/^1 (?=[a-z]+$)/, '')
  if (interval.months === 0 && interval.days === 0) return `Every ${counted}`
  return `Every ${counted}, counted from ${describeTime(anchor, zone)}`
}
