import { TuskError } from '../lib/errors.ts'
import { describeIssues, type StandardSchema } from './standard-schema.ts'

/**
 * Validates a payload against its task's schema before it is stored. It validates the JSON that the database will
 * return, so that a Date, for example, is seen as a string.
 */
export async function checkPayload(
  name: string,
  schema: StandardSchema,
  json: string,
): Promise<void> {
  const { issues } = await schema['~standard'].validate(JSON.parse(json))
  if (issues === undefined) return
  const faults = describeIssues(issues)
  throw new TuskError('invalid_payload', `${name} does not take this payload: ${faults}`, {
    hint: 'Nothing was enqueued.',
  })
}
