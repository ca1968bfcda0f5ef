import { z } from '@hono/zod-openapi'
import { nearestWord } from '../../lib/nearest-word.ts'

type RawIssue = z.core.$ZodRawIssue

/** How many faults an answer names. The client that made more learns how many there are. */
export const mostFaults = 20

/** How many faults of a request are put into words, those of forms that were not meant included. */
const mostInWords = 10 * mostFaults

/**
 * Words for the faults of one request. A body of 1 MB can have half a million of them, and words cost
 * more than finding the fault: the first ones get words.
 */
export function faultsInWords(): (issue: RawIssue) => string | undefined {
  let count = 0
  return (issue) => {
    count += 1
    return count > mostInWords ? 'is invalid' : faultInWords(issue)
  }
}

/** What is wrong with a value and what to give instead, unless its schema says it better. */
function faultInWords(issue: RawIssue): string | undefined {
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
      return unknownOnes(issue.keys, issue.inst).join('\n')
    case 'invalid_union':
      return 'has none of the accepted forms'
    default:
      return undefined
  }
}

/** A line for each of the first. */
function unknownOnes(keys: readonly string[], schema: unknown): string[] {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape as object) : []
  return keys.slice(0, mostFaults).map((key) => unknown(key, known))
}

function unknown(key: string, known: readonly string[]): string {
  const near = nearestWord(key, known)
  if (near !== undefined) return `unknown property; did you mean ${near}?`
  return known.length === 0 ? 'unknown property' : `unknown property; known are ${known.join(', ')}`
}

function oneOf(values: readonly string[], input: unknown): string {
  const all = values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(', ')}`
  if (input === undefined) return `is missing; it ${all}`
  const near = typeof input === 'string' ? nearestWord(input, values) : undefined
  return near === undefined ? all : `${all}; did you mean ${near}?`
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
