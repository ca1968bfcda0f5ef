/** One figure over all rounds. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
  readonly rounds: number
}

/** Null when no round has the figure. */
export function spreadOf(values: readonly (number | undefined)[]): Spread | null {
  const sorted = values
    .filter((value) => value !== undefined)
    .filter(Number.isFinite)
    .sort((one, other) => one - other)
  const [min, max] = [sorted[0], sorted.at(-1)]
  if (min === undefined || max === undefined) return null
  return { median: medianOf(sorted), min, max, rounds: sorted.length }
}

function medianOf(sorted: readonly number[]): number {
  const middle = (sorted.length - 1) / 2
  const [below, above] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]]
  return ((below ?? Number.NaN) + (above ?? Number.NaN)) / 2
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function shuffle<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
