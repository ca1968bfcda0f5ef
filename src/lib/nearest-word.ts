/** The word that was most likely meant; undefined when none is near. */
export function nearestWord(given: string, words: readonly string[]): string | undefined {
  const wanted = given.toLowerCase()
  const ranked = words
    .map((word) => ({ word, steps: stepsBetween(wanted, word.toLowerCase()) }))
    .sort((a, b) => a.steps - b.steps)
  const nearest = ranked[0]
  if (nearest === undefined) return undefined
  const isNear = nearest.steps <= Math.max(1, Math.floor(nearest.word.length * 0.4))
  return isNear ? nearest.word : undefined
}

/** Letters to add, drop, change or swap with their neighbour until one text is the other. */
function stepsBetween(from: string, to: string): number {
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const isSame = from[i - 1] === to[j - 1]
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = row
    row = next
  }
  return row[to.length] ?? 0
}
