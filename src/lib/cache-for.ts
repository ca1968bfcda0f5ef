/**
 * Asks at most once in a while: whoever comes meanwhile gets the same answer, also while it is being
 * looked for. What failed is not remembered.
 */
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
