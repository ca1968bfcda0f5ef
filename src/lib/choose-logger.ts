import pino from 'pino'
import type { Logger } from './logger.ts'
import { safeLogger } from './safe-logger.ts'

/** The given logger, none for `false`, or lines of JSON on standard output. All of them redact secrets. */
export function chooseLogger(name: string, given: Logger | false | undefined): Logger {
  if (given === false) return pino({ level: 'silent' })
  const level = process.env['TUSK_LOG_LEVEL'] ?? 'info'
  return safeLogger(given ?? pino({ name, level }))
}
