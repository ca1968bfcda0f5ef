import { Command } from 'commander'
import type { FileStatus } from '../../db/installed.ts'
import { listMigrations, migrate, migrationSql } from '../../db/migrate.ts'
import { upgradeDialects } from '../../dialects/upgrade-dialects.ts'
import { reach } from '../database/database.ts'
import {
  type RunningDatabaseOptions,
  runningDatabaseUrl,
  withRunningDatabase,
} from '../database/running-database.ts'
import { withExamples } from '../options/examples.ts'
import { migrateOptions, type SchemaOptions, withSchema } from '../options/schema-options.ts'
import { startProgress } from '../output/progress.ts'
import type { Column, Screen } from '../output/screen.ts'
import { exactly } from '../output/spans.ts'
import { summarize, summarizeDialect } from '../output/summarize.ts'
import type { Io } from '../process/io.ts'
import { action } from './action.ts'

interface Options extends SchemaOptions, RunningDatabaseOptions {}

/** `tusk migrate`: the schema, and nothing but the schema. */
export function migrateCommand(io: Io): Command {
  const command = new Command('migrate').description('Install or upgrade the schema')
  const upward = withRunningDatabase(withSchema(command.command('up')))
    .description(
      'bring the schema to this version, and its dialects; print how many files were applied',
    )
    .action(action<Options>(io, (screen, options) => up(options, screen)))
  withExamples(upward, ['tusk migrate up'], ['tusk migrate up --schema jobs --no-roles'])
  const listing = withRunningDatabase(withSchema(command.command('list')))
    .description(
      'print the state of each file: applied, pending, changed, removed, edited or newer',
    )
    .action(action<Options>(io, (screen, options) => list(options, screen)))
  withExamples(listing, ['tusk migrate list'])
  const writing = withSchema(command.command('sql'))
    .description('print the script that installs and upgrades, to read it or to run it with psql')
    .action(action<SchemaOptions>(io, (screen, options) => sql(options, screen)))
  withExamples(writing, ['tusk migrate sql > install.sql'], ['tusk migrate sql | psql mydb'])
  return command
}

async function up(options: Options, screen: Screen): Promise<void> {
  const url = await runningDatabaseUrl(options, screen.io)
  const place = await reach(url)
  const progress = startProgress(screen.io, { label: 'Applying' })
  const report = await migrate(url, {
    ...migrateOptions(options, screen.io),
    onApplied: (done, total) => progress.update(done, total),
  }).finally(() => progress.end())
  const { schema, applied, removed, notices } = report
  for (const notice of notices) screen.say(`Note: ${notice}`)
  const counts = { applied: applied.length, removed: removed.length }
  const dialects = await upgradeDialects(url, { engineSchema: schema })
  if (!screen.isForPeople) screen.one({ schema, ...counts }, [])
  screen.say(`Schema ${schema} at ${place} ${summarize(counts.applied, counts.removed)}`)
  for (const dialect of dialects) screen.say(summarizeDialect(dialect))
}

async function list(options: Options, screen: Screen): Promise<void> {
  const url = await runningDatabaseUrl(options, screen.io)
  await reach(url)
  screen.list(await listMigrations(url, migrateOptions(options, screen.io)), columns)
}

async function sql(options: SchemaOptions, screen: Screen): Promise<void> {
  screen.io.stdout.write(await migrationSql(migrateOptions(options, screen.io)))
}

const columns: readonly Column<FileStatus>[] = [
  {
    name: 'state',
    of: ({ state }) => state,
    style: ({ state }) => (state === 'applied' ? undefined : 'yellow'),
  },
  { name: 'applied', of: ({ applied_at }) => exactly(applied_at) },
  { name: 'file', of: ({ path }) => path },
]
