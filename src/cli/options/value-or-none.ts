import { InvalidArgumentError } from 'commander'
import { parseCount } from './parse-argument.ts'

/** What lifts a limit, or puts a default back. Commander takes a null from a parser for no value at all. */
const none = 'none'

export type ValueOrNone<T> = T | typeof none

/** A number, or `none`. */
export function parseCountOrNone(text: string): ValueOrNone<number> {
  return text === none ? none : parseCount(text)
}

/** A number from 0, or `none`. */
export function parseLimitOrNone(text: string): ValueOrNone<number> {
  return text === '0' ? 0 : parseCountOrNone(text)
}

/** What was said, with null for `none`; what was not said stays so. */
export function noneToNull<T>(said: ValueOrNone<T> | undefined): T | null | undefined {
  return said === none ? null : said
}

export function parseSwitch(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new InvalidArgumentError('It is on or off.')
}
