import { TuskError } from '../lib/errors.ts'

/** No such schema, table or function. */
const missing = new Set(['3F000', '42P01', '42883'])

/** Says what to do about an error that means that the engine is not there; others pass as they are. */
export function explainMissingSchema(error: unknown, schema: string): unknown {
  const { code } = (error ?? {}) as { code?: unknown }
  if (typeof code !== 'string' || !missing.has(code)) return error
  return new TuskError('schema_missing', `Tusk is not installed in the schema ${schema}`, {
    hint: 'Run `tusk migrate up`, or name the schema it is in.',
    cause: error,
  })
}
