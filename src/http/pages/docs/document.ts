/** What the page reads of an OpenAPI document. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers?: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

export interface Operation {
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly 'x-tusk-scope'?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content?: Readonly<Record<string, Content>> }
  readonly responses?: Readonly<Record<string, ResponseOf>>
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
}

export interface ResponseOf {
  readonly description?: string
  readonly content?: Readonly<Record<string, Content>>
}

interface Content {
  readonly schema?: Schema
}

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly additionalProperties?: boolean | Schema
}

/** The schema of JSON among several contents. */
export function jsonSchema(content: Readonly<Record<string, Content>> = {}): Schema | undefined {
  const type = Object.keys(content).find((name) => name.includes('json'))
  return type === undefined ? undefined : content[type]?.schema
}

/** `Task` of `#/components/schemas/Task`. */
export function refName(ref: string): string {
  return ref.split('/').at(-1) ?? ''
}
