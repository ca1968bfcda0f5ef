import type { Cron } from './cron.ts'
import { andList, evenStep, listRuns, ordinal } from './lists.ts'

const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const weekNames = ['first', 'second', 'third', 'fourth', 'fifth', 'last']

export const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August'],
  ...['September', 'October', 'November', 'December'],
]

/**
 * The days and months of a cron expression. Undefined if it fires every day. Days of the month, days of the week and
 * days such as the first Monday count independently, so each is described with the months.
 */
export function describeCronDays(cron: Cron): string | undefined {
  const months =
    cron.months.length < 12
      ? listRuns(cron.months, (month) => monthNames[month - 1] ?? '')
      : undefined
  const ofMonths = `of ${months ?? 'the month'}`
  const days: string[] = []
  if (cron.dates.length < 31) days.push(`on ${dates(cron)} ${ofMonths}`)
  if (cron.weekdays.length > 0 && cron.weekdays.length < 7) {
    days.push(`on ${weekdays(cron.weekdays)}${months === undefined ? '' : ` in ${months}`}`)
  }
  if (cron.nth.length > 0) days.push(`on ${nthWeekdays(cron.nth)} ${ofMonths}`)
  if (days.length > 0) return days.join(', and ')
  return months === undefined ? undefined : `in ${months}`
}

/** the 1st and 15th; every 2nd day from the 1st through the 31st; the last day; the weekday nearest to the 15th */
function dates({ dates: plain, beforeLast, nearest }: Cron): string {
  return andList([
    ...plainDates(plain),
    ...beforeLast.map((days) => {
      if (days === 0) return 'the last day'
      return `the ${days === 1 ? '' : `${ordinal(days)} `}day before the last`
    }),
    ...nearest.map((date) =>
      date === 32 ? 'the last weekday' : `the weekday nearest to the ${ordinal(date)}`,
    ),
  ])
}

function plainDates(numbers: readonly number[]): string[] {
  if (numbers.length === 0) return []
  const step = evenStep(numbers) ?? 0
  if (step <= 1 || numbers.length <= 3) return [`the ${listRuns(numbers, ordinal)}`]
  const [first = 0] = numbers
  const last = numbers.at(-1) ?? 0
  return [`every ${ordinal(step)} day from the ${ordinal(first)} through the ${ordinal(last)}`]
}

/** weekdays; weekends; Mondays and Thursdays */
function weekdays(numbers: readonly number[]): string {
  const written = numbers.join('')
  if (written === '12345') return 'weekdays'
  if (written === '06') return 'weekends'
  return andList(mondayFirst(numbers).map((weekday) => `${weekdayNames[weekday]}s`))
}

/** the first Monday and the last Friday */
function nthWeekdays(numbers: readonly number[]): string {
  const named = weekNames.flatMap((week, index) => {
    const ofWeek = numbers.filter((place) => Math.floor(place / 7) === index)
    return mondayFirst(ofWeek.map((place) => place % 7)).map(
      (weekday) => `the ${week} ${weekdayNames[weekday]}`,
    )
  })
  return andList(named)
}

function mondayFirst(weekdayNumbers: readonly number[]): number[] {
  return [...weekdayNumbers].sort((a, b) => ((a + 6) % 7) - ((b + 6) % 7))
}
