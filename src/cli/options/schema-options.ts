import type { Command } from 'commander'
import type { MigrateOptions } from '../../db/migrate.ts'
import type { Io } from '../process/io.ts'

export interface SchemaOptions {
  readonly schema?: string
  readonly roles?: string | false
}

/** Options of every command that installs: one that forgot `--no-roles` would make what another left out. */
export function withSchema(command: Command): Command {
  return command
    .option('--schema <name>', 'schema of the engine (default: TUSK_SCHEMA, else tusk)')
    .option('--roles <prefix>', 'prefix of the names of its roles (default: the schema)')
    .option('--no-roles', 'create no roles')
}

export function migrateOptions({ schema, roles }: SchemaOptions, io: Io): MigrateOptions {
  return { schema: schema ?? (io.env['TUSK_SCHEMA'] || undefined), roles }
}
