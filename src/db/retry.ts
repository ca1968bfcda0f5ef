import { setTimeout as sleep } from 'node:timers/promises'

export interface RetryLimits {
  readonly tries: number
  /** The longest pause after the first failure; it doubles with each further one. */
  readonly delayMs: number
  readonly longestDelayMs: number
}

/** Tries again while `mayPass` says that the failure may pass, then throws the last one. */
export async function retry<T>(
  limits: RetryLimits,
  mayPass: (error: unknown) => boolean,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let failures = 0; ; ) {
    try {
      return await attempt()
    } catch (error) {
      failures += 1
      if (failures >= limits.tries || !mayPass(error)) throw error
    }
    // Full jitter: two migrators, or a migrator and a periodic job, must not meet again each time.
    const longest = Math.min(limits.delayMs * 2 ** (failures - 1), limits.longestDelayMs)
    await sleep(Math.random() * longest)
  }
}
