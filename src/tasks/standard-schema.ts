/**
 * The part of the Standard Schema interface that Tusk needs (https://standardschema.dev): whatever
 * zod, valibot, arktype and others put under `~standard`.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

/** The value as the schema reads it, or what is wrong with it. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] }

/** What a schema finds wrong with a value, and where. */
export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

const mostIssues = 10

/** What is wrong with a payload, as path and reason: `payload.to: Expected string`. */
export function describeIssues(issues: readonly SchemaIssue[]): string {
  return issues.slice(0, mostIssues).map(describe).join('; ')
}

function describe({ message, path = [] }: SchemaIssue): string {
  const keys = path.map((step) => String(typeof step === 'object' ? step.key : step))
  return `${['payload', ...keys].join('.')}: ${message}`
}
