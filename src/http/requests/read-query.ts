import { z } from '@hono/zod-openapi'
import { type Fault, Problem } from '../answers/problem.ts'
import { faultInWords } from './fault-words.ts'

/** What stands behind the question mark, as a schema wants it: lists for lists, else one value each. */
export function readQuery(schema: z.ZodType, given: URLSearchParams): unknown {
  const shape = schema instanceof z.ZodObject ? schema.shape : {}
  const faults: Fault[] = []
  const entries = [...new Set(given.keys())].map((name): [string, unknown] => {
    const values = given.getAll(name)
    if (isList(shape[name])) return [name, values]
    if (values.length > 1) faults.push({ path: `query.${name}`, message: 'given more than once' })
    return [name, values[0]]
  })
  if (faults.length > 0) throw invalid(faults)
  return Object.fromEntries(entries)
}

function isList(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return isList(schema.unwrap())
  return schema instanceof z.ZodArray
}

/** Holds a part of a request to its schema; every fault is named with its path. */
export function check<Schema extends z.ZodType>(
  part: 'params' | 'query' | 'body',
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const checked = schema.safeParse(value, { error: faultInWords })
  if (checked.success) return checked.data
  throw invalid(checked.error.issues.flatMap((issue) => faultsOf([part], issue)))
}

type Issue = z.core.$ZodIssue

/** What is wrong at each place. Of several forms, the one that fits best was meant. */
function faultsOf(above: readonly string[], issue: Issue): Fault[] {
  const path = [...above, ...issue.path.map(String)]
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const forms = issue.errors.map((form) => form.flatMap((inner) => faultsOf(path, inner)))
    return forms.reduce((best, form) => (form.length < best.length ? form : best))
  }
  if (issue.code === 'unrecognized_keys') {
    // A line for each of them.
    const messages = issue.message.split('\n')
    return issue.keys.map((key, at) => ({
      path: [...path, key].join('.'),
      message: messages[at] ?? 'there is no such property',
    }))
  }
  return [{ path: path.join('.'), message: issue.message }]
}

function invalid(errors: readonly Fault[]): Problem {
  const [first] = errors
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  return new Problem(422, 'invalid_request', `${first?.path}: ${first?.message}${more}`, { errors })
}
