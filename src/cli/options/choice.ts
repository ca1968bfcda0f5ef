import { InvalidArgumentError, Option } from 'commander'
import { nearestWord } from '../../lib/nearest-word.ts'

/** An option with few values; for an unknown value the error suggests the nearest. */
export function choice(flags: string, about: string, values: readonly string[]): Option {
  // The choices are shown in the help and by completion; the parser says more than Commander's own.
  return new Option(flags, about).choices([...values]).argParser(oneOf(values))
}

/** Reads one of a few words. */
export function oneOf(values: readonly string[]): (text: string) => string {
  return (text) => {
    if (values.includes(text)) return text
    const near = nearestWord(text, values)
    const meant = near === undefined ? '' : `Did you mean ${near}? `
    throw new InvalidArgumentError(`${meant}It is one of ${values.join(', ')}.`)
  }
}
