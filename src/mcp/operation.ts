import { allowsSomewhere, type RouteScope } from '../http/gate/scopes.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required?: boolean
  readonly description?: string
  readonly schema?: JsonSchema
}

/** An operation as the OpenAPI document describes it: the only description of a tool there is. */
export interface Operation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly scope: RouteScope
  readonly parameters: readonly Parameter[]
  /** What the body must be; undefined for operations without one. */
  readonly body: { readonly schema: JsonSchema; readonly isRequired: boolean } | undefined
  /** Whether it changes nothing. */
  readonly isRead: boolean
}

interface DocumentedOperation {
  readonly operationId: string
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly 'x-tusk-scope': RouteScope
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content?: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

type Content = Readonly<Record<string, { readonly schema?: JsonSchema }>>

type Schemas = Readonly<Record<string, JsonSchema>>

/** Where the document keeps schemas that have a name. */
export const componentPath = '#/components/schemas/'

export interface ApiDocument {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components?: { readonly schemas?: Schemas }
}

const json = 'application/json'

/** The operations that an agent can call: those of the API itself that end by themselves and answer in JSON. */
export function operationsOf({ paths, components }: ApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod)
      .filter(([, operation]) => isCallable(operation))
      .map(([method, operation]) => asOperation(method, path, operation, components?.schemas)),
  )
}

/** Sessions, documentation and health are for browsers and probes: their scope is none. */
function isCallable({ 'x-tusk-scope': scope, responses }: DocumentedOperation): boolean {
  if (scope === 'open' || scope === 'any') return false
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return answers.every(([, { content }]) => content === undefined || json in content)
}

function asOperation(
  method: string,
  path: string,
  documented: DocumentedOperation,
  schemas: Schemas = {},
): Operation {
  const { operationId, tags = [], summary = '', description = '', parameters = [] } = documented
  const scope = documented['x-tusk-scope']
  return {
    name: operationId,
    method: method.toUpperCase(),
    path,
    tag: tags[0] ?? '',
    summary,
    description,
    scope,
    parameters,
    body: bodyOf(documented, schemas),
    isRead: method === 'get' || scope === 'read',
  }
}

/** The API takes no body for an empty object, so it must be there only if that would be refused. */
function bodyOf({ requestBody }: DocumentedOperation, schemas: Schemas): Operation['body'] {
  const schema = requestBody?.content?.[json]?.schema
  if (schema === undefined) return undefined
  const ref = schema['$ref']
  const named = typeof ref === 'string' ? schemas[ref.slice(componentPath.length)] : schema
  return { schema, isRequired: named?.['required'] !== undefined || named?.['anyOf'] !== undefined }
}

export interface Choice {
  /** What the token allows. */
  readonly scopes: readonly string[]
  /** Whether operations that change something are offered as well. */
  readonly actions: boolean
  /** Only those under these headings of the documentation; all of them if there are none. */
  readonly only: readonly string[]
}

/** What is offered: reads, and actions on request; never what the token does not allow. */
export function chooseOperations(
  operations: readonly Operation[],
  { scopes, actions, only }: Choice,
): Operation[] {
  const headings = new Set(only.map((tag) => tag.toLowerCase()))
  return operations.filter(
    ({ isRead, scope, tag }) =>
      (isRead || actions) &&
      allowsSomewhere(scopes, scope) &&
      (headings.size === 0 || headings.has(tag.toLowerCase())),
  )
}
