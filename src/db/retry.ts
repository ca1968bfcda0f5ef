import { setTimeout as sleep } from 'node:timers/promises'

export interface RetryLimits {
  readonly tries: number
  /** The longest pause after the first failure. It doubles with each further one. */
  readonly delayMs: number
  readonly longestDelayMs: number
}

/** Retries while `mayPass` says that the failure is temporary, then throws the last one. */
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
    // Full jitter: two migrations, or a migration and a periodic job, must not collide again each time.
    const longest = Math.min(limits.delayMs * 2 ** (failures - 1), limits.longestDelayMs)
    await sleep(Math.random() * longest)
  }
}
