import { readInstalled } from '../../db/installed.ts'
import type { Queryable } from '../../db/queryable.ts'

/** The newest migration that was applied; `baseline` when there is none beyond the tables of the first release. */
export async function schemaVersion(db: Queryable, schema: string): Promise<string> {
  const installed = (await readInstalled(db, schema)) ?? []
  const newest = installed.filter(({ path }) => path.startsWith('migrations/')).at(-1)
  if (newest !== undefined) return newest.path.replace(/^migrations\/|\.sql$/g, '')
  return installed.length > 0 ? 'baseline' : ''
}
