import { TuskError } from '../lib/errors.ts'
import type { Dialect } from './dialect.ts'
import { fetchq } from './fetchq.ts'
import { pgBackground } from './pg-background.ts'
import { pgTask } from './pg-task.ts'

/** Every dialect of this version, by name. */
export const dialects: readonly Dialect[] = [fetchq, pgBackground, pgTask]

/** Dialects without SQL of their own: a server speaks them as it is. */
export const builtInDialects: readonly Pick<Dialect, 'name' | 'about'>[] = [
  { name: 'task-server', about: 'a task server over HTTP, with its states; nothing to install' },
]

/** By its name, also spelled as the original is: `pg_task`. */
export function findDialect(name: string): Dialect {
  const found = dialects.find((dialect) => dialect.name === name.replaceAll('_', '-'))
  if (found !== undefined) return found
  const builtIn = builtInDialects.find((dialect) => dialect.name === name.replaceAll('_', '-'))
  if (builtIn !== undefined) {
    throw new TuskError('invalid_argument', `the dialect ${builtIn.name} needs no installation`, {
      hint: 'Run `tusk serve`, and read docs/dialects/task-server.md.',
    })
  }
  throw new TuskError('invalid_argument', `there is no dialect ${JSON.stringify(name)}`, {
    hint: `The dialects are: ${[...dialects, ...builtInDialects].map((dialect) => dialect.name).join(', ')}.`,
  })
}
