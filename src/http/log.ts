import pino from 'pino'
import type { Logger } from '../lib/logger.ts'

/** The one given, silence, or lines of JSON on standard output. */
export function chooseLogger(given: Logger | false | undefined): Logger {
  if (given === false) return pino({ level: 'silent' })
  return given ?? pino({ name: 'tusk http', level: process.env['TUSK_LOG_LEVEL'] ?? 'info' })
}
