import { z } from '@hono/zod-openapi'
import { nearestWord } from '../../lib/nearest-word.ts'

type RawIssue = z.core.$ZodRawIssue

/** What is wrong with a value and what to give instead, unless its schema says it better. */
export function faultInWords(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `is missing; give ${nameOf(issue.expected)}`
        : `must be ${nameOf(issue.expected)}, not ${kindOf(issue.input)}`
    case 'invalid_value':
      return oneOf(issue.values.map(String), issue.input)
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return `must ${limited(issue.origin)} at the most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}`
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknown(key, issue.inst)).join('\n')
    case 'invalid_union':
      return 'is none of the forms that are taken here'
    default:
      return undefined
  }
}

function unknown(key: string, schema: unknown): string {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape as object) : []
  const near = meant(key, known)
  if (near !== undefined) return `there is no such property; did you mean ${near}?`
  return known.length === 0
    ? 'there is no such property'
    : `there is no such property; there are ${known.join(', ')}`
}

function oneOf(values: readonly string[], input: unknown): string {
  const all = values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(', ')}`
  if (input === undefined) return `is missing; it ${all}`
  const near = typeof input === 'string' ? meant(input, values) : undefined
  return near === undefined ? all : `${all}; did you mean ${near}?`
}

/** To compare a word costs its length times theirs: what is so long is no slip of the hand. */
function meant(word: string, known: readonly string[]): string | undefined {
  return word.length > 50 ? undefined : nearestWord(word, known)
}

function tooSmall({ origin, minimum }: Extract<RawIssue, { code: 'too_small' }>): string {
  if (origin === 'string' && Number(minimum) === 1) return 'must not be empty'
  return `must ${limited(origin)} at least ${minimum}${unitOf(origin, minimum)}`
}

function limited(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have' : 'be'
}

function unitOf(origin: string, count: number | bigint): string {
  const unit = { string: ' character', array: ' item' }[origin]
  if (unit === undefined) return ''
  return Number(count) === 1 ? unit : `${unit}s`
}

const names: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

function nameOf(expected: string): string {
  return names[expected] ?? expected
}

function kindOf(input: unknown): string {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'an array'
  if (typeof input === 'number') return Number.isNaN(input) ? 'this' : `the number ${input}`
  if (typeof input === 'boolean') return String(input)
  return typeof input === 'object' ? 'an object' : `a ${typeof input}`
}
