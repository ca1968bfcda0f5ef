/** The logger that Tusk writes to. A pino logger fits. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  /** Whether lines of this level are written. Without it, Tusk passes lines of every level. */
  isLevelEnabled?(level: string): boolean
  /** Writes out buffered lines, then calls back. A stopping worker waits for it for up to a second. */
  flush?(callback?: (error?: Error) => void): void
}

/** Log levels. */
export type Level = 'debug' | 'info' | 'warn' | 'error'

/** Whether a line of this level would be written. Check it before you collect the data of an expensive line. */
export function isLogged(logger: Logger, level: Level): boolean {
  return logger.isLevelEnabled?.(level) ?? true
}
