import { z } from '@hono/zod-openapi'
import { type Fault, Problem } from '../answers/problem.ts'
import { faultsInWords, mostFaults } from './fault-words.ts'

/** What stands behind the question mark, as a schema wants it: lists for lists, else one value each. */
export function readQuery(schema: z.ZodType, given: URLSearchParams): unknown {
  const shape = schema instanceof z.ZodObject ? schema.shape : {}
  const faults: Fault[] = []
  const entries = [...valuesByName(given)].map(([name, values]): [string, unknown] => {
    if (isList(shape[name])) return [name, values]
    if (values.length > 1) faults.push({ path: `query.${name}`, message: 'given more than once' })
    return [name, values[0]]
  })
  if (faults.length > 0) throw invalid(faults.slice(0, mostFaults), faults.length)
  return Object.fromEntries(entries)
}

/** In one walk: getAll() of each name would read all of them for each. */
function valuesByName(given: URLSearchParams): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const [name, value] of given) {
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
  }
  return values
}

function isList(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return isList(schema.unwrap())
  return schema instanceof z.ZodArray
}

/** Holds a part of a request to its schema; the first faults are named with their paths. */
export function check<Schema extends z.ZodType>(
  part: 'params' | 'query' | 'body',
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const checked = schema.safeParse(value, { error: faultsInWords() })
  if (checked.success) return checked.data
  const { issues } = checked.error
  throw invalid(firstFaults([part], issues), countOf(issues))
}

type Issue = z.core.$ZodIssue

function firstFaults(above: readonly string[], issues: readonly Issue[]): Fault[] {
  const faults: Fault[] = []
  for (const issue of issues) {
    faults.push(...faultsOf(above, issue))
    if (faults.length >= mostFaults) return faults.slice(0, mostFaults)
  }
  return faults
}

/** What is wrong at each place. Of several forms, the one that fits best was meant. */
function faultsOf(above: readonly string[], issue: Issue): Fault[] {
  const path = [...above, ...issue.path.map(String)]
  if (issue.code === 'invalid_union') {
    const meant = bestForm(issue)
    if (meant !== undefined) return firstFaults(path, meant)
  }
  if (issue.code === 'unrecognized_keys') {
    // A line for each of them.
    const messages = issue.message.split('\n')
    return issue.keys.slice(0, mostFaults).map((key, at) => ({
      path: [...path, key].join('.'),
      message: messages[at] ?? 'there is no such property',
    }))
  }
  return [{ path: path.join('.'), message: issue.message }]
}

function bestForm({ errors }: z.core.$ZodIssueInvalidUnion): readonly Issue[] | undefined {
  const counted = errors.map((form) => ({ form, count: countOf(form) }))
  return counted.sort((a, b) => a.count - b.count)[0]?.form
}

/** How many faults there are, counted without naming them. */
function countOf(issues: readonly Issue[]): number {
  let count = 0
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') count += issue.keys.length
    else if (issue.code === 'invalid_union') count += countOf(bestForm(issue) ?? []) || 1
    else count += 1
  }
  return count
}

function invalid(errors: readonly Fault[], count: number): Problem {
  const [first] = errors
  const more = count > 1 ? ` (and ${count - 1} more)` : ''
  return new Problem(422, 'invalid_request', `${first?.path}: ${first?.message}${more}`, { errors })
}
