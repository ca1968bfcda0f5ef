/** Caches the result of `ask` for a while. Calls made while it runs share it. Failures are not cached. */
export function cacheFor<T>(forMs: number, ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  let staleMs = 0
  return () => {
    if (answer !== undefined && performance.now() < staleMs) return answer
    const asked = ask()
    answer = asked
    staleMs = Number.POSITIVE_INFINITY
    asked.then(
      () => {
        staleMs = performance.now() + forMs
      },
      () => {
        if (answer === asked) answer = undefined
      },
    )
    return asked
  }
}
