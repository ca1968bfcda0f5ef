import { count } from './format.ts'
import { inWords } from './interval.ts'

/** Something that can be set: a queue, a group and a schedule have several. */
export interface Setting {
  /** As the API names it. */
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly kind: 'text' | 'number' | 'choice' | 'flag' | 'backoff'
  readonly choices?: readonly string[]
  /** There is no default to go back to. */
  readonly isAlwaysSet?: boolean
  readonly placeholder?: string
}

type Values = Readonly<Record<string, unknown>>

/** A value as a box shows it. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : inWords(String(value))
}

/** A value as people say it: a backoff is "exponential, base 1 second, cap 1 hour". */
export function inWordsOf(value: unknown): string {
  if (typeof value === 'number') return count(value)
  if (typeof value !== 'object' || value === null) return textOf(value)
  const { kind, ...others } = value as Values
  return [kind, ...Object.entries(others).map((one) => one.join(' '))].join(', ')
}

/** Where a value comes from, as people say it. */
export const sources: Readonly<Record<string, string>> = {
  queue: 'set here',
  '*': 'set for all queues',
  default: 'default',
}

/** What differs from what is set, as the API takes it: null puts the default back. */
export function changesOf(
  settings: readonly Setting[],
  current: Values,
  textIn: (name: string) => string,
): Values {
  const changed = settings.filter(({ name }) => textIn(name).trim() !== textOf(current[name]))
  return Object.fromEntries(
    changed.map((one) => [one.name, givenValue(one, textIn(one.name).trim())]),
  )
}

/** A value that is neither a number nor JSON is sent as it was typed: the server says what is wrong with it. */
function givenValue({ kind }: Setting, text: string): unknown {
  if (text === '') return null
  if (kind === 'flag') return text === 'true'
  if (kind === 'number') return Number(text)
  if (kind !== 'backoff') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
