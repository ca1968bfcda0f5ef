import { TuskError } from './errors.ts'
import { nearestWord } from './nearest-word.ts'

/** The names of all options of a type. The compiler keeps it complete. */
export type KnownOptions<T> = Readonly<Record<keyof T & string, true>>

/** Rejects an unknown name, and suggests the one that was most likely meant. */
export function requireOneOf(what: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return
  throw new TuskError('invalid_argument', `there is no ${what} ${JSON.stringify(name)}`, {
    hint: suggest(name, known),
  })
}

/**
 * Rejects options that do not exist. A misspelled option would otherwise be ignored, and not every caller has a type
 * checker.
 */
export function requireOptions<T extends object>(
  owner: string,
  given: T | null | undefined,
  known: KnownOptions<T>,
): void {
  if (given === undefined || given === null) return
  if (typeof given !== 'object') {
    throw new TuskError('invalid_argument', `the options of ${owner} are not an object`, {
      hint: `Its options are ${Object.keys(known).join(', ')}.`,
    })
  }
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(known, name)) continue
    throw new TuskError('invalid_argument', `${owner} has no option ${JSON.stringify(name)}`, {
      hint: suggest(name, Object.keys(known)),
    })
  }
}

function suggest(name: string, known: readonly string[]): string {
  const nearest = nearestWord(name, known)
  return nearest === undefined
    ? `Use one of ${known.join(', ')}.`
    : `Did you mean ${JSON.stringify(nearest)}?`
}
