import type { Cron } from './cron.ts'
import { describeCronDays } from './describe-cron-days.ts'
import { describeCronTime } from './describe-cron-time.ts'
import { zoneSuffix } from './describe-time.ts'

/**
 * Describes a cron expression as an English sentence. It is built from the parsed expression, not from the text, so it
 * says what will happen however the expression was written.
 */
export function describeCron(cron: Cron, zone: string): string {
  const words = sentence(describeCronTime(cron), describeCronDays(cron))
  return words.charAt(0).toUpperCase() + words.slice(1) + zoneSuffix(zone)
}

function sentence(time: string, days: string | undefined): string {
  if (!/^at \d\d:\d\d/.test(time)) return days === undefined ? time : `${time} ${days}`
  if (days === undefined) return `every day ${time}`
  return days.startsWith('in ') ? `${time} every day ${days}` : `${time} ${days}`
}
