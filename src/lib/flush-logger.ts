import type { Logger } from './logger.ts'

/** A log destination that does not respond must not keep a process from ending. */
const longestMs = 1_000

/**
 * Resolves when all log lines are written, or after a second. A process that ends itself by a signal gets no `exit`
 * event, so destinations that write in the background would lose their last lines.
 */
export function flushLogger(logger: Logger): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, longestMs)
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    try {
      if (logger.flush === undefined) return done()
      logger.flush(() => whenWritten(logger, done))
      // Loggers of older versions accept no callback.
      if (logger.flush.length === 0) done()
    } catch {
      done()
    }
  })
}

interface Destination {
  readonly _writing?: unknown
  once?(event: 'drain' | 'error', listener: () => void): unknown
}

/**
 * pino's asynchronous destination calls back from flush() before its last write is done, unless it was created with a
 * `minLength`.
 */
function whenWritten(logger: Logger, done: () => void): void {
  const destination = destinationOf(logger)
  if (destination?._writing === true && destination.once !== undefined) {
    destination.once('drain', done)
    destination.once('error', done)
  } else done()
}

/** Found by the symbol's description: the application may use another copy of pino than this package does. */
function destinationOf(logger: object): Destination | undefined {
  for (let at: object | null = logger; at !== null; at = Object.getPrototypeOf(at)) {
    const symbol = Object.getOwnPropertySymbols(at).find(
      ({ description }) => description === 'pino.stream',
    )
    if (symbol !== undefined) return (at as Record<symbol, Destination>)[symbol]
  }
  return undefined
}
