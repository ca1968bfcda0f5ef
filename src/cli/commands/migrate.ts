import { Command } from 'commander'
import { listMigrations, migrate, migrationSql } from '../../db/migrate.ts'
import { reach } from '../database.ts'
import { give, type Io, say } from '../io.ts'
import {
  type RunningDatabaseOptions,
  runningDatabaseUrl,
  withRunningDatabase,
} from '../running-database.ts'
import { migrateOptions, type SchemaOptions, withSchema } from '../schema-options.ts'
import { summarize } from '../summarize.ts'

interface Options extends SchemaOptions, RunningDatabaseOptions {}

/** `tusk migrate`: the schema, and nothing but the schema. */
export function migrateCommand(io: Io): Command {
  const command = new Command('migrate').description('Install or upgrade the schema')
  withRunningDatabase(withSchema(command.command('up')))
    .description('bring the schema to this version and print the files applied')
    .action((options: Options) => up(options, io))
  withRunningDatabase(withSchema(command.command('list')))
    .description('print how each file stands: applied, pending, changed, removed, edited or newer')
    .action((options: Options) => list(options, io))
  withSchema(command.command('sql'))
    .description('print the script, to read it or to run it with psql; it installs and upgrades')
    .action((options: SchemaOptions) => sql(options, io))
  return command
}

async function up(options: Options, io: Io): Promise<void> {
  const url = await runningDatabaseUrl(options, io)
  const place = await reach(url)
  const { schema, applied, removed, notices } = await migrate(url, migrateOptions(options, io))
  for (const path of applied) give(io, path)
  for (const notice of notices) say(io, `Note: ${notice}`)
  say(io, `Schema ${schema} at ${place} ${summarize(applied.length, removed.length)}`)
}

async function list(options: Options, io: Io): Promise<void> {
  const url = await runningDatabaseUrl(options, io)
  await reach(url)
  for (const { path, state, applied_at } of await listMigrations(url, migrateOptions(options, io)))
    give(io, `${state.padEnd(9)}${applied_at?.toISOString() ?? '-'.padEnd(24)}  ${path}`)
}

async function sql(options: SchemaOptions, io: Io): Promise<void> {
  io.stdout.write(await migrationSql(migrateOptions(options, io)))
}
