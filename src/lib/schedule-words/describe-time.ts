import { monthNames } from './describe-cron-days.ts'

/** An instant in the local time of a zone: 24 December 2026 at 18:00 (Europe/Berlin). */
export function describeTime(time: Date, zone: string): string {
  const { date, clock, suffix } = localTime(time, zone)
  return `${date} at ${clock}${suffix}`
}

/** The time of day of an instant in a zone: 09:00 (Europe/Berlin). */
export function describeClock(time: Date, zone: string): string {
  const { clock, suffix } = localTime(time, zone)
  return clock + suffix
}

/** The suffix that names a zone. Empty for UTC. */
export function zoneSuffix(zone: string): string {
  return zone === 'UTC' ? '' : ` (${zone})`
}

function localTime(time: Date, zone: string) {
  const { format, suffix } = clocksOf(zone)
  const parts = Object.fromEntries(
    format.formatToParts(time).map(({ type, value }) => [type, value]),
  )
  const { day, month, year, hour, minute, second } = parts
  const clock = `${hour}:${minute}${second === '00' ? '' : `:${second}`}`
  return { date: `${Number(day)} ${monthNames[Number(month) - 1]} ${year}`, clock, suffix }
}

/** Postgres knows a few zones that this runtime does not. Their times are shown in UTC. */
function clocksOf(zone: string) {
  try {
    return { format: formatIn(zone), suffix: zoneSuffix(zone) }
  } catch {
    return { format: formatIn('UTC'), suffix: ' (UTC)' }
  }
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
}
