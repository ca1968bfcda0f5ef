import { TuskError } from '../lib/errors.ts'
import type { Dialect } from './dialect.ts'
import { fetchq } from './fetchq.ts'
import { pgBackground } from './pg-background.ts'
import { pgTask } from './pg-task.ts'

/** Every dialect of this version, by name. */
export const dialects: readonly Dialect[] = [fetchq, pgBackground, pgTask]

/** By its name, also spelled as the original is: `pg_task`. */
export function findDialect(name: string): Dialect {
  const found = dialects.find((dialect) => dialect.name === name.replaceAll('_', '-'))
  if (found !== undefined) return found
  throw new TuskError('invalid_argument', `there is no dialect ${JSON.stringify(name)}`, {
    hint: `The dialects are: ${dialects.map((dialect) => dialect.name).join(', ')}.`,
  })
}
