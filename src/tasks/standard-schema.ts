/**
 * The part of the Standard Schema interface that Tusk uses (https://standardschema.dev): what zod, valibot, arktype and
 * others provide under `~standard`.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

/** The parsed value, or the issues that the schema found. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] }

/** One issue that a schema found, and where. */
export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

const mostIssues = 10

/** Describes the issues of a payload as path and reason: `payload.to: Expected string`. */
export function describeIssues(issues: readonly SchemaIssue[]): string {
  return issues.slice(0, mostIssues).map(describe).join('; ')
}

function describe({ message, path = [] }: SchemaIssue): string {
  const keys = path.map((step) => String(typeof step === 'object' ? step.key : step))
  return `${['payload', ...keys].join('.')}: ${message}`
}
