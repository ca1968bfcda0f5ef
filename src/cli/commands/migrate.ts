import { Command } from 'commander'
import { listMigrations, migrate, migrationSql } from '../../db/migrate.ts'
import { findRunning } from '../../embedded/inspect.ts'
import { defaultStateDirectory } from '../../embedded/state-directory.ts'
import { TuskError } from '../../lib/errors.ts'
import { reach } from '../database.ts'
import { give, type Io, say } from '../io.ts'
import { migrateOptions, type SchemaOptions, withSchema } from '../schema-options.ts'

interface Options extends SchemaOptions {
  readonly databaseUrl?: string
}

/** `tusk migrate`: the schema, and nothing but the schema. */
export function migrateCommand(io: Io): Command {
  const command = new Command('migrate').description('Install or upgrade the schema')
  withDatabase(withSchema(command.command('up')))
    .description('bring the schema to this version and print the files applied')
    .action((options: Options) => up(options, io))
  withDatabase(withSchema(command.command('list')))
    .description('print how each file stands: applied, pending, changed, removed, edited or newer')
    .action((options: Options) => list(options, io))
  withSchema(command.command('sql'))
    .description('print the script, to read it or to run it with psql; it installs and upgrades')
    .action((options: SchemaOptions) => sql(options, io))
  return command
}

function withDatabase(command: Command): Command {
  return command.option(
    '--database-url <url>',
    'your Postgres (default: DATABASE_URL, else the embedded one if it runs)',
  )
}

async function up(options: Options, io: Io): Promise<void> {
  const url = await databaseUrl(options, io)
  const place = await reach(url)
  const { schema, applied, removed, notices } = await migrate(url, migrateOptions(options, io))
  for (const path of applied) give(io, path)
  for (const notice of notices) say(io, `Note: ${notice}`)
  say(io, `Schema ${schema} at ${place} ${summary(applied.length, removed.length)}`)
}

async function list(options: Options, io: Io): Promise<void> {
  const url = await databaseUrl(options, io)
  await reach(url)
  for (const { path, state, applied_at } of await listMigrations(url, migrateOptions(options, io)))
    give(io, `${state.padEnd(9)}${applied_at?.toISOString() ?? '-'.padEnd(24)}  ${path}`)
}

async function sql(options: SchemaOptions, io: Io): Promise<void> {
  io.stdout.write(await migrationSql(migrateOptions(options, io)))
}

/** Starts nothing: a database that nobody runs needs no migration. */
async function databaseUrl(options: Options, io: Io): Promise<string> {
  const given = options.databaseUrl ?? io.env['DATABASE_URL']
  if (given) return given
  const embedded = await findRunning(defaultStateDirectory(io.env))
  if (embedded !== undefined) return embedded.url
  throw new TuskError('invalid_argument', 'no database is named, and no embedded one runs', {
    hint: 'Set DATABASE_URL or --database-url, or start the embedded Postgres with: tusk db start',
  })
}

function summary(applied: number, removed: number): string {
  if (applied + removed === 0) return 'is up to date.'
  const parts = [applied > 0 && `${applied} applied`, removed > 0 && `${removed} removed`]
  return `is up to date now: ${parts.filter(Boolean).join(', ')}.`
}
