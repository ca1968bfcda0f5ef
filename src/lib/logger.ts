/** Where Tusk's own lines go. A pino logger is one. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  /** Whether lines of this level are written. Without it, Tusk hands over lines of every level. */
  isLevelEnabled?(level: string): boolean
  /** Writes out what is buffered, then calls back. A worker that stops waits for it, for up to a second. */
  flush?(callback?: (error?: Error) => void): void
}

/** The levels of lines. */
export type Level = 'debug' | 'info' | 'warn' | 'error'

/** Whether a line of this level would be written. Ask before you collect what an expensive line says. */
export function isLogged(logger: Logger, level: Level): boolean {
  return logger.isLevelEnabled?.(level) ?? true
}
