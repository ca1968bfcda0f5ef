/** A longer word is not a typing mistake. Comparing two words costs the product of their lengths. */
const longestWord = 50
const mostWords = 1_000

/** The known word that was most likely meant. Undefined if none is close. */
export function nearestWord(given: string, words: readonly string[]): string | undefined {
  if (given.length > longestWord) return undefined
  const ranked = words
    .slice(0, mostWords)
    .filter((word) => word.length <= longestWord)
    .map((word) => ({ word, steps: stepsBetween(given.toLowerCase(), word.toLowerCase()) }))
    .sort((a, b) => a.steps - b.steps)
  const nearest = ranked[0]
  if (nearest === undefined) return undefined
  const isNear = nearest.steps <= Math.max(1, Math.floor(nearest.word.length * 0.4))
  return isNear ? nearest.word : undefined
}

/** How many letters to add, drop, change or swap to turn one text into the other. */
function stepsBetween(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, at) => at)]
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= from.length; i += 1) {
    rows[i] = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const change = from[i - 1] === to[j - 1] ? 0 : 1
      const isSwapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const swap = isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + change, swap))
    }
  }
  return at(from.length, to.length)
}
