import { refName, type Schema } from './document.ts'

type Schemas = Readonly<Record<string, Schema>>

/** Values that are true of the words they stand for, so that a first try is not refused. */
const known: Readonly<Record<string, unknown>> = {
  queue: 'hello_tusk',
  payload: { name: 'Ada' },
  name: 'example',
}

/** A value that fits a schema: of an object its required properties, and the payload of a task. */
export function sampleOf(
  schema: Schema | undefined,
  schemas: Schemas,
  name = '',
  depth = 0,
): unknown {
  if (schema === undefined || depth > 6) return null
  if (schema.$ref !== undefined)
    return sampleOf(schemas[refName(schema.$ref)], schemas, name, depth + 1)
  const given = schema.default ?? schema.examples?.[0] ?? schema.const ?? schema.enum?.[0]
  if (given !== undefined) return given
  const [part] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []
  if (part !== undefined) return sampleOf(part, schemas, name, depth + 1)
  if (schema.properties !== undefined) return sampleObject(schema, schemas, depth)
  if (name in known) return known[name]
  return byType[[schema.type ?? ''].flat()[0] ?? '']?.(schema, schemas, depth) ?? null
}

const byType: Readonly<
  Record<string, (schema: Schema, schemas: Schemas, depth: number) => unknown>
> = {
  string: ({ format }) => (format === 'date-time' ? '2030-01-01T00:00:00Z' : ''),
  integer: () => 1,
  number: () => 1,
  boolean: () => false,
  array: ({ items }, schemas, depth) => [sampleOf(items, schemas, '', depth + 1)],
  object: () => ({}),
}

function sampleObject({ properties = {}, required = [] }: Schema, schemas: Schemas, depth: number) {
  const wanted = Object.entries(properties).filter(
    ([name]) => required.includes(name) || name === 'payload',
  )
  return Object.fromEntries(
    wanted.map(([name, one]) => [name, sampleOf(one, schemas, name, depth + 1)]),
  )
}
