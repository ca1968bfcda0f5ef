import { setTimeout as pause } from 'node:timers/promises'

/** Resolves once `isSo` does; the test's own timeout is the limit. */
export async function until(isSo: () => Promise<unknown>): Promise<void> {
  while (!(await isSo())) await pause(5)
}
