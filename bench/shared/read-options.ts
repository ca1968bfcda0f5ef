/** The parts of an option with commas. */
export function listOf<T>(name: string, given: string, read: (part: string) => T): T[] {
  const parts = given.split(',').filter((part) => part !== '')
  if (parts.length === 0) throw new Error(`--${name} needs at least one name`)
  return parts.map(read)
}

/** An option that is a whole number of at least 1. */
export function countOf(name: string, given: string | undefined, otherwise: number): number {
  if (given === undefined) return otherwise
  const value = Number(given)
  if (!Number.isInteger(value) || value < 1) {
    throw new Error(`--${name} must be a whole number of at least 1, not "${given}"`)
  }
  return value
}
