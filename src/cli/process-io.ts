import type { Io } from './io.ts'

/** Within this time a signal is the same wish delivered twice: by the terminal and by npm. */
const sameWishMs = 300

/** The world of a real process. */
export function processIo(): Io {
  return { stdout: process.stdout, stderr: process.stderr, env: process.env, stopRequested }
}

/** The first signal asks, the second insists: it ends the process at once. */
function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    let askedAt = 0
    const onSignal = (signal: NodeJS.Signals) => {
      if (askedAt === 0) {
        askedAt = Date.now()
        resolve()
      } else if (Date.now() - askedAt > sameWishMs) {
        process.exit(signal === 'SIGINT' ? 130 : 143)
      }
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}
