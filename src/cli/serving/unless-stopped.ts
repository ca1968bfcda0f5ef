import { TuskError } from '../../lib/errors.ts'
import { Exit, exitCode } from '../process/exit-code.ts'

/** Ctrl-C reaches initdb as well; that it gave up is then no news. */
export async function openUnlessStopped<T>(
  stopRequested: Promise<void>,
  opening: Promise<T>,
): Promise<T> {
  let isStopped = false
  void stopRequested.then(() => {
    isStopped = true
  })
  return opening.catch((error: unknown) => {
    const gaveUp = error instanceof TuskError && error.code === 'postgres_unavailable'
    throw isStopped && gaveUp ? new Exit(exitCode.ok) : error
  })
}
