import type { Command } from 'commander'
import { findRunning } from '../../embedded/inspect.ts'
import { TuskError } from '../../lib/errors.ts'
import type { Io } from '../process/io.ts'
import { stateDirectoryFor } from './state-directory.ts'

export interface RunningDatabaseOptions {
  readonly databaseUrl?: string
}

/** The option of every command that works on a database which runs already. */
export function withRunningDatabase(command: Command): Command {
  return command.option(
    '--database-url <url>',
    'your Postgres (default: DATABASE_URL, else the embedded one if it runs)',
  )
}

export interface RunningDatabase {
  readonly url: string
  readonly isEmbedded: boolean
}

export async function runningDatabaseUrl(options: RunningDatabaseOptions, io: Io): Promise<string> {
  return (await findRunningDatabase(options, io)).url
}

/** Starts nothing: a database that does not run needs no work. */
export async function findRunningDatabase(
  options: RunningDatabaseOptions,
  io: Io,
): Promise<RunningDatabase> {
  const given = options.databaseUrl ?? io.env['DATABASE_URL']
  if (given) return { url: given, isEmbedded: false }
  const embedded = await findRunning(stateDirectoryFor(io))
  if (embedded !== undefined) return { url: embedded.url, isEmbedded: true }
  throw new TuskError('invalid_argument', 'no database is configured, and no embedded one runs', {
    hint: 'Set DATABASE_URL or --database-url, or start the embedded Postgres with: tusk db start',
  })
}
