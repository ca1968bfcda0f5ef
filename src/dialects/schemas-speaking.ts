import type { Queryable } from '../db/queryable.ts'
import { findDialectSchemas, readInstalledDialect, unlessDropped } from './list-dialects.ts'

/** The schemas over an engine that speak a dialect. */
export async function schemasSpeaking(
  db: Queryable,
  dialect: string,
  engineSchema: string,
): Promise<string[]> {
  const found: string[] = []
  for (const schema of await findDialectSchemas(db)) {
    const installed = await unlessDropped(readInstalledDialect(db, schema))
    if (installed?.name === dialect && installed.engine_schema === engineSchema) found.push(schema)
  }
  return found
}
