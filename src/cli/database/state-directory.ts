import { defaultStateDirectory } from '../../embedded/state-directory.ts'
import type { Io } from '../process/io.ts'

/** Where the embedded Postgres of a command lives: TUSK_HOME, else that of the project it was started in. */
export function stateDirectoryFor({ env, cwd }: Pick<Io, 'env' | 'cwd'>): string {
  return defaultStateDirectory(env, cwd)
}
