import pino from 'pino'

/** Where the worker's own lines go. A pino logger is one. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The one given, silence, or lines of JSON on standard output. */
export function chooseLogger(given: Logger | false | undefined): Logger {
  if (given === false) return pino({ level: 'silent' })
  return given ?? pino({ name: 'tusk', level: process.env['TUSK_LOG_LEVEL'] ?? 'info' })
}
