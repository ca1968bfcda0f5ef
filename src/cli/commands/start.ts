import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { Command } from 'commander'
import { escapeIdentifier } from 'pg'
import { migrate } from '../../db/migrate.ts'
import { TuskError } from '../../lib/errors.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../database.ts'
import { Exit, exitCode } from '../exit-code.ts'
import { give, type Io, paint, say } from '../io.ts'
import { portOption } from '../port-option.ts'
import { migrateOptions, type SchemaOptions, withSchema } from '../schema-options.ts'
import { serveSql } from '../serve-sql.ts'

type StartOptions = DatabaseOptions & SchemaOptions

/** `tusk start`: a database with the engine in it and a worker for SQL tasks, until you say stop. */
export function startCommand(io: Io): Command {
  return withSchema(new Command('start'))
    .description(
      'Install the engine, in your Postgres or the embedded one, and run SQL tasks until stopped',
    )
    .option('--database-url <url>', 'your Postgres (default: DATABASE_URL, else the embedded one)')
    .addOption(portOption())
    .action((options: StartOptions) => start(options, io))
}

async function start(options: StartOptions, io: Io): Promise<void> {
  // Asked for first, so that Ctrl-C during a slow start ends it cleanly too.
  const stopRequested = io.stopRequested()
  const database = await openUnlessStopped(stopRequested, openDatabase(options, io))
  try {
    const report = await migrate(database.url, migrateOptions(options, io))
    for (const notice of report.notices) say(io, `Note: ${notice}`)
    const service = await serveSql(database.url, report.schema, io)
    await announce(database, report.schema, io)
    await stayUntil(stopRequested)
    await service.stop()
  } finally {
    await close(database, io)
  }
}

/** Ctrl-C reaches initdb as well; that it gave up is then no news. */
async function openUnlessStopped(
  stopRequested: Promise<void>,
  opening: Promise<Database>,
): Promise<Database> {
  let isStopped = false
  void stopRequested.then(() => {
    isStopped = true
  })
  return opening.catch((error: unknown) => {
    const gaveUp = error instanceof TuskError && error.code === 'postgres_unavailable'
    throw isStopped && gaveUp ? new Exit(exitCode.ok) : error
  })
}

/** A pending promise alone does not keep Node alive. */
async function stayUntil(stopRequested: Promise<void>): Promise<void> {
  const alive = setInterval(() => {}, 60_000)
  await stopRequested
  clearInterval(alive)
}

async function announce(database: Database, schema: string, io: Io): Promise<void> {
  say(io, greeting(database, schema))
  say(io)
  if (database.kind === 'embedded') {
    say(io, paint(io, 'bold', 'Connection string'))
    give(io, database.url)
    say(io)
  }
  say(io, paint(io, 'bold', 'Try it'))
  say(io, await howToConnect(database, io.env))
  say(io, firstQuery(schema))
  say(io)
  say(io, paint(io, 'dim', 'Ctrl-C stops.'))
}

function greeting(database: Database, schema: string): string {
  if (database.kind === 'given') return `Tusk is installed in ${database.place}, schema ${schema}.`
  const { version, port, dataDirectory } = database.cluster
  return [
    `Tusk is installed in Postgres ${version} on port ${port}, schema ${schema}.`,
    `Its data is in ${dataDirectory}.`,
  ].join('\n')
}

function firstQuery(schema: string): string {
  const name = /^[a-z_][a-z0-9_]*$/.test(schema) ? schema : escapeIdentifier(schema)
  return [
    `select * from ${name}.enqueue('mail', '{"to": "ada"}');`,
    `select ${name}.sql('select now()');  -- runs at once; or: npx tusk sql 'select now()' --wait`,
  ].join('\n')
}

async function howToConnect(database: Database, env: NodeJS.ProcessEnv): Promise<string> {
  const anyClient = 'Connect with any Postgres client, then paste:'
  // A URL of the person's own is not repeated: it may hold a password.
  if (database.kind === 'given' || !(await hasPsql(env))) return anyClient
  return `psql '${database.url}'`
}

async function hasPsql(env: NodeJS.ProcessEnv): Promise<boolean> {
  const name = process.platform === 'win32' ? 'psql.exe' : 'psql'
  const places = (env['PATH'] ?? '').split(delimiter).filter(Boolean)
  const found = places.map((place) => access(join(place, name), constants.X_OK))
  return Promise.any(found).then(
    () => true,
    () => false,
  )
}

/** A cluster that ran before us stays: someone else started it and may be using it. */
async function close(database: Database, io: Io): Promise<void> {
  if (database.kind === 'given') return
  if (database.cluster.attached) {
    say(io, 'Postgres keeps running: it ran before. Stop it with: tusk db stop')
    return
  }
  await database.cluster.stop()
  say(io, 'Postgres is stopped.')
}
