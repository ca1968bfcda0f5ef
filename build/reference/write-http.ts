import { code, type GeneratedPage, generatedNote, plain, table } from './generated-page.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly format?: string
}

interface Operation {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly 'x-tusk-scope'?: string
  readonly parameters?: readonly {
    name: string
    in: string
    required?: boolean
    schema: Schema
    description?: string
  }[]
  readonly requestBody?: { content: Record<string, { schema: Schema }> }
  readonly responses: Readonly<Record<string, { description?: string }>>
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

/** Every route of the OpenAPI document, under the headings of its tags. */
export function writeHttp(api: OpenApi): GeneratedPage {
  const routes = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
    })),
  )
  const tags = [...new Set(routes.map(({ operation }) => operation.tags?.[0] ?? 'Other'))]
  const sections = tags.map((tag) => {
    const listed = routes.filter(({ operation }) => (operation.tags?.[0] ?? 'Other') === tag)
    const parts = listed.map(({ path, method, operation }) =>
      section(api, `${method} ${path}`, operation),
    )
    return `## ${plain(tag)}\n\n${parts.join('\n\n')}`
  })
  const text = `${generatedNote}

# HTTP API: routes

Every route, from the OpenAPI document that the server gives at \`/api/v1/openapi.json\`. What goes for all of them, such as scopes,
errors and \`Idempotency-Key\`, is in the [overview](http.md).

${sections.join('\n\n')}
`
  return { path: 'reference/http-routes.md', text }
}

function section(api: OpenApi, route: string, operation: Operation): string {
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema
  const answers = Object.entries(operation.responses).map(([status, { description }]) => [
    status,
    plain(description ?? ''),
  ])
  const scope = operation['x-tusk-scope']
  return [
    `### ${plain(route).replaceAll('{', '\\{')}`,
    plain(
      [operation.summary, operation.description].filter(Boolean).join('. ').replaceAll('..', '.'),
    ),
    scope === undefined ? '' : `Scope: \`${scope}\`.`,
    parameterTable(api, operation),
    body === undefined ? '' : bodyTable(api, body),
    table(['Status', 'Answer'], answers),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function parameterTable(api: OpenApi, { parameters = [] }: Operation): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map((each) => [
    code(each.name),
    each.in,
    `${code(typeOf(api, each.schema))}${each.required ? ', required' : ''}`,
    plain(each.description ?? each.schema.description ?? ''),
  ])
  return table(['Parameter', 'In', 'Type', ''], rows)
}

function bodyTable(api: OpenApi, body: Schema): string {
  const schema = resolved(api, body)
  if (schema.properties === undefined) return `Body: ${code(typeOf(api, body))}`
  const required = new Set(schema.required)
  const rows = Object.entries(schema.properties).map(([name, each]) => [
    code(name),
    `${code(typeOf(api, each))}${required.has(name) ? ', required' : ''}`,
    plain(resolved(api, each).description ?? each.description ?? ''),
  ])
  return table(['Body', 'Type', ''], rows)
}

function resolved(api: OpenApi, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (api.components?.schemas?.[name] ?? schema)
}

function typeOf(api: OpenApi, schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(' | ')
  const either = schema.anyOf ?? schema.oneOf
  if (either !== undefined) return [...new Set(either.map((each) => typeOf(api, each)))].join(' | ')
  if (schema.type === 'array') return arrayOf(schema.items ? typeOf(api, schema.items) : 'any')
  return [schema.type ?? 'any'].flat().join(' | ')
}

function arrayOf(type: string): string {
  return type.includes('|') ? `(${type})[]` : `${type}[]`
}
