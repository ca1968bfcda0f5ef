import { constants } from 'node:os'
import type { Worker } from './worker.ts'

const signals = ['SIGTERM', 'SIGINT'] as const

/** The first signal stops the worker in order and then ends the process; a second ends it at once. */
export function handleSignals(worker: Pick<Worker, 'stop' | 'stopped'>): void {
  let isSecond = false
  const listeners = signals.map((signal) => {
    const listener = () => {
      if (isSecond) return end(signal)
      isSecond = true
      worker.stop().then(
        () => end(signal),
        () => end(signal),
      )
    }
    process.on(signal, listener)
    return { signal, listener }
  })
  const deafen = () => {
    for (const { signal, listener } of listeners) process.off(signal, listener)
  }
  const end = (signal: NodeJS.Signals) => {
    deafen()
    // As if it had not been caught, unless the application listens to it too.
    if (process.listenerCount(signal) === 0) endBy(signal)
  }
  void worker.stopped.then(deafen)
}

/**
 * Ends the process by a signal, after its `exit` listeners. Node calls none of them for a signal, and pino's transports
 * write their last lines there: their flush() may answer before the thread has written.
 */
function endBy(signal: NodeJS.Signals): void {
  try {
    process.emit('exit', 128 + constants.signals[signal])
  } finally {
    process.kill(process.pid, signal)
  }
}
