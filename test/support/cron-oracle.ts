import type { Setting } from './zone-clocks.ts'

/** A schedule as a person would check it, by looking at the calendar and at the clock. */
export interface Plan {
  readonly cron: string
  /** Whether it names every hour, and so follows real time. */
  readonly isHourly: boolean
  isTime(hour: number, minute: number): boolean
  isDay(day: WallDay): boolean
}

export interface WallDay {
  readonly weekday: number
  readonly isLastOfMonth: boolean
}

const minutesOfDay = 1440

/**
 * Every instant of a span at which a plan comes, found by looking at the clock in each minute of it.
 * Written from the rules in docs/reference/cron.md, without the engine's SQL and without a cron
 * library. Instants and local times are minutes since 1970; the span excludes its start.
 */
export function lookAtClock(
  settings: readonly Setting[],
  plan: Plan,
  start: number,
  end: number,
): number[] {
  // From two days earlier: what the clocks show for the second time, they showed before the span.
  const first = start - 2 * minutesOfDay
  const shown = readings(settings, first, end)
  const isPlanned = marks(plan)
  const found = plan.isHourly ? whenShown(shown, isPlanned) : onceEach(shown, isPlanned)
  return found.map((index) => first + index).filter((minute) => minute > start)
}

/** What the clocks show in each minute. */
function readings(settings: readonly Setting[], first: number, last: number): Int32Array {
  const shown = new Int32Array(last - first + 1)
  let next = 0
  let offset = settings[0]?.offset ?? Number.NaN
  for (let index = 0; index < shown.length; index += 1) {
    for (let change = settings[next]; change !== undefined; change = settings[next]) {
      if (change.from > (first + index) * 60) break
      offset = change.offset
      next += 1
    }
    shown[index] = first + index + offset / 60
  }
  return shown
}

/** Every minute in which the clocks show a planned time. */
function whenShown(shown: Int32Array, isPlanned: (local: number) => boolean): number[] {
  const found: number[] = []
  for (const [index, local] of shown.entries()) if (isPlanned(local)) found.push(index)
  return found
}

/** Each planned time once: in the minute that first shows it or, when it is skipped, after the gap. */
function onceEach(shown: Int32Array, isPlanned: (local: number) => boolean): number[] {
  const found = new Set<number>()
  const seen = new Set<number>()
  let before = shown[0] ?? 0
  for (const [index, local] of shown.entries()) {
    for (let skipped = before + 1; skipped < local; skipped += 1) {
      if (isPlanned(skipped)) found.add(index)
    }
    if (isPlanned(local) && !seen.has(local)) {
      seen.add(local)
      found.add(index)
    }
    before = local
  }
  return [...found]
}

/** Whether a local minute is planned; days and times are asked for once each. */
function marks(plan: Plan): (local: number) => boolean {
  const times = Array.from({ length: minutesOfDay }, (_, minute) =>
    plan.isTime(Math.floor(minute / 60), minute % 60),
  )
  const days = new Map<number, boolean>()
  const isDay = (day: number) => {
    const known = days.get(day)
    if (known !== undefined) return known
    const answer = plan.isDay(wallDay(day))
    days.set(day, answer)
    return answer
  }
  return (local) => {
    const day = Math.floor(local / minutesOfDay)
    return times[local - day * minutesOfDay] === true && isDay(day)
  }
}

function wallDay(day: number): WallDay {
  const [at, next] = [day, day + 1].map((each) => new Date(each * minutesOfDay * 60_000))
  return { weekday: at?.getUTCDay() ?? Number.NaN, isLastOfMonth: next?.getUTCDate() === 1 }
}
