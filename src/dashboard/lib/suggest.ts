import { quoted, unquote, wordsOf } from '../../lib/filter-query.ts'

/** Something that a list can be narrowed by. */
export interface FilterName {
  /** What stands before the colon: queue, tag, after. */
  readonly name: string
  /** What to give, for people. */
  readonly hint: string
  /** What could follow the colon. */
  readonly values?: () => readonly string[]
}

export interface Suggestion {
  /** What the box says if it is taken. */
  readonly text: string
  readonly hint: string
  /** Taken as a filter at once; else there is more to type. */
  readonly isWhole: boolean
}

const most = 8

/** What the box offers for the word that is being typed: names first, values after the colon. */
export function suggest(text: string, names: readonly FilterName[]): Suggestion[] {
  const { source = '' } = [...wordsOf(text)].pop() ?? {}
  const word = text.endsWith(source) ? source : ''
  const before = text.slice(0, text.length - word.length)
  const typed = unquote(word).toLowerCase()
  const colon = typed.indexOf(':')
  const whole = (name: string, part: string, values: readonly string[] = []) =>
    values
      .filter((value) => value.toLowerCase().includes(part))
      .map((value) => ({ text: `${before}${name}:${quoted(value)}`, hint: '', isWhole: true }))
  const known = names.find(({ name }) => name === typed.slice(0, colon))
  if (known !== undefined) {
    return whole(known.name, typed.slice(colon + 1), known.values?.()).slice(0, most)
  }
  const fitting = names
    .filter(({ name }) => name.startsWith(typed))
    .map(({ name, hint }) => ({ text: `${before}${name}:`, hint, isWhole: false }))
  // People type "mail" before they think of "queue:".
  const values =
    typed.length < 2 ? [] : names.flatMap((one) => whole(one.name, typed, one.values?.()))
  return [...fitting, ...values].slice(0, most)
}
