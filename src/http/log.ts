import pino from 'pino'
import type { Logger } from '../lib/logger.ts'
import { redactedFields } from '../lib/redacted-fields.ts'

/** The one given, silence, or lines of JSON on standard output. */
export function chooseLogger(given: Logger | false | undefined): Logger {
  if (given === false) return pino({ level: 'silent' })
  const level = process.env['TUSK_LOG_LEVEL'] ?? 'info'
  return given ?? pino({ name: 'tusk http', level, redact: redactedFields })
}
