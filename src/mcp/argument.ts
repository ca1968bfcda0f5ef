import type { JsonSchema, Operation } from './operation.ts'

/** One argument of a tool, and where it stands in the request. */
export interface Argument {
  readonly name: string
  readonly place: 'path' | 'query' | 'header' | 'body'
  /** What the request calls it. */
  readonly sentAs: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
}

/** The headers that are offered, and their arguments. */
const headerArguments: Readonly<Record<string, string>> = { 'If-Match': 'if_match' }

/** Parameters keep their names; a JSON body is the argument `body`. */
export function argumentsOf({ parameters, body }: Operation): Argument[] {
  const beside = parameters.flatMap((parameter): Argument[] => {
    const { name: sentAs, in: place, schema = {}, description, required = false } = parameter
    const name = place === 'header' ? headerArguments[sentAs] : sentAs
    if (name === undefined || place === 'cookie') return []
    const described = description === undefined ? schema : { description, ...schema }
    return [{ name, place, sentAs, schema: described, isRequired: required }]
  })
  if (body === undefined) return beside
  const { schema, isRequired } = body
  return [...beside, { name: 'body', place: 'body', sentAs: 'body', schema, isRequired }]
}
