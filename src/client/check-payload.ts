import { TuskError } from '../lib/errors.ts'
import type { SchemaIssue, StandardSchema } from '../tasks/standard-schema.ts'

const mostIssues = 10

/**
 * Holds a payload to its task's schema before it is stored. What is checked is what will come back
 * from the database, so that a Date, for example, is seen as the string it will be.
 */
export async function checkPayload(
  name: string,
  schema: StandardSchema,
  json: string,
): Promise<void> {
  const { issues } = await schema['~standard'].validate(JSON.parse(json))
  if (issues === undefined) return
  const faults = issues.slice(0, mostIssues).map(describe).join('; ')
  throw new TuskError('invalid_payload', `${name} does not take this payload: ${faults}`, {
    hint: 'Nothing was enqueued.',
  })
}

function describe({ message, path = [] }: SchemaIssue): string {
  const keys = path.map((step) => String(typeof step === 'object' ? step.key : step))
  return `${['payload', ...keys].join('.')}: ${message}`
}
