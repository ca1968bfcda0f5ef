import type { Cron } from './cron.ts'
import { andList, evenStep, listRuns } from './lists.ts'

/**
 * The seconds, minutes and hours of a cron expression. Up to six times a day are listed. More are described from the
 * smallest unit that varies to the hour: every 10 seconds during minutes 0 through 4 of every hour.
 */
export function describeCronTime({ seconds, minutes, hours }: Cron): string {
  const [second = 0] = seconds
  if (seconds.length === 1 && hours.length < 24) {
    const times = hours.flatMap((hour) => minutes.map((minute) => clock(hour, minute, second)))
    if (times.length <= 6) return `at ${andList(times)}`
    const step = evenStep(hours)
    if (minutes.length === 1 && step !== undefined) {
      return `every ${counted(step, 'hour')} from ${times[0]} through ${times.at(-1)}`
    }
  }
  if (isZero(seconds) && isZero(minutes) && hours.length === 24) return 'every hour'
  return isZero(seconds) ? minutesOf(minutes, hours) : secondsOf(seconds, minutes, hours)
}

function minutesOf(minutes: readonly number[], hours: readonly number[]): string {
  const every = everyUnit('minute', minutes)
  if (every !== undefined) return every + hourSpan(hours)
  return `at ${units('minute', minutes)} of ${hourUnits(hours)}`
}

function secondsOf(
  seconds: readonly number[],
  minutes: readonly number[],
  hours: readonly number[],
): string {
  const every = everyUnit('second', seconds)
  if (minutes.length === 60) {
    return (every ?? `at ${units('second', seconds)} of every minute`) + hourSpan(hours)
  }
  const which = every === undefined ? `at ${units('second', seconds)} of` : `${every} during`
  return `${which} ${units('minute', minutes)} of ${hourUnits(hours)}`
}

/** The hours during which it repeats. Empty if these are all hours. */
function hourSpan(hours: readonly number[]): string {
  if (hours.length === 24) return ''
  if (hours.length > 1 && evenStep(hours) !== 1) return ` during ${units('hour', hours)}`
  return ` from ${clock(hours[0] ?? 0, 0)} through ${clock(hours.at(-1) ?? 0, 59)}`
}

function hourUnits(hours: readonly number[]): string {
  return hours.length === 24 ? 'every hour' : units('hour', hours)
}

/** every minute; every 5 minutes; undefined if the numbers are not evenly spaced over all 60 */
function everyUnit(unit: string, numbers: readonly number[]): string | undefined {
  const step = evenStep(numbers)
  if (numbers[0] !== 0 || step === undefined || step * numbers.length !== 60) return undefined
  return `every ${counted(step, unit)}`
}

/** minute 5; minutes 5 and 7; minutes 0 through 56 in steps of 7 */
function units(unit: string, numbers: readonly number[]): string {
  if (numbers.length === 1) return `${unit} ${numbers[0]}`
  const step = evenStep(numbers) ?? 0
  const isStepped = step > 1 && numbers.length > 3
  const list = isStepped
    ? `${numbers[0]} through ${numbers.at(-1)} in steps of ${step}`
    : listRuns(numbers)
  return `${unit}s ${list}`
}

function counted(count: number, unit: string): string {
  return count === 1 ? unit : `${count} ${unit}s`
}

/** 09:00, or 09:00:15 if it has seconds */
function clock(hour: number, minute: number, second = 0): string {
  const parts = second === 0 ? [hour, minute] : [hour, minute, second]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

function isZero(numbers: readonly number[]): boolean {
  return numbers.length === 1 && numbers[0] === 0
}
