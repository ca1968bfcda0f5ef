import { InvalidArgumentError } from 'commander'
import { parseCount } from './parse-argument.ts'

/** What lifts a limit, or puts a default back. */
const nothing = 'none'

/** A number, or `none`. */
export function countOrNone(text: string): number | null {
  return text === nothing ? null : parseCount(text)
}

/** A number from 0, or `none`. */
export function limitOrNone(text: string): number | null {
  return text === '0' ? 0 : countOrNone(text)
}

/** A text, such as an interval, or `none`. */
export function textOrNone(text: string): string | null {
  return text === nothing ? null : text
}

export function parseSwitch(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new InvalidArgumentError('It is on or off.')
}
