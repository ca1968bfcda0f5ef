import type { Command } from 'commander'
import { Tusk } from '../../client/tusk.ts'
import type { Io } from '../process/io.ts'
import { reach } from './database.ts'
import {
  type RunningDatabaseOptions,
  runningDatabaseUrl,
  withRunningDatabase,
} from './running-database.ts'

export interface TuskOptions extends RunningDatabaseOptions {
  readonly schema?: string
}

/** The options of every command that works with an engine which is installed already. */
export function withEngine(command: Command): Command {
  return withRunningDatabase(command).option(
    '--schema <name>',
    'schema of the engine (default: TUSK_SCHEMA, else tusk)',
  )
}

/** Lends a client to `use`, and closes it. */
export async function withTusk<T>(
  options: TuskOptions,
  io: Io,
  use: (tusk: Tusk) => Promise<T>,
): Promise<T> {
  const database = await runningDatabaseUrl(options, io)
  await reach(database)
  const schema = options.schema ?? (io.env['TUSK_SCHEMA'] || undefined)
  const tusk = await Tusk.open({ database, schema, listen: false })
  try {
    return await use(tusk)
  } finally {
    await tusk.close()
  }
}
