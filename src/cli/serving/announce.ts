import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { escapeIdentifier } from 'pg'
import { quoteForShell } from '../../lib/quote-for-shell.ts'
import { ownVersion } from '../../lib/version.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../database.ts'
import { give, paint, say } from '../io.ts'
import type { Screen } from '../output/screen.ts'
import type { Everything } from './start-all.ts'

/** Says where everything is, and what to try. The connection string is data, or all of it with -o json. */
export async function announce(
  screen: Screen,
  config: Config,
  all: Everything,
  tries: readonly string[] = [],
): Promise<void> {
  const { io } = screen
  const { database, server, token } = all
  const title = (text: string) => paint(io, 'bold', text)
  say(io, greeting(all))
  say(io)
  say(io, `${title('Dashboard')}  ${dashboardUrl(all)}`)
  say(io, `${title('API')}        ${server.url}/api/v1 (described at ${server.url}/api/v1/docs)`)
  say(io, `${title('Token')}      ${token.token} (${token.fate})`)
  if (screen.format !== 'table' && config.said('output') !== undefined) giveAll(screen, all)
  else if (database.kind === 'embedded') {
    say(io, title('Connection string'))
    give(io, database.url)
  }
  say(io)
  say(io, title('Try it'))
  for (const line of [...tries, ...(await thingsToTry(config, all, io.env))]) say(io, `  ${line}`)
  say(io)
  say(io, paint(io, 'dim', 'Ctrl-C stops.'))
}

function dashboardUrl({ server, token }: Everything): string {
  return `${server.url}/#token=${token.token}`
}

function giveAll(screen: Screen, all: Everything): void {
  const { database, schema, server, token } = all
  screen.one(
    {
      dashboard: dashboardUrl(all),
      api: `${server.url}/api/v1`,
      token: token.token,
      database: database.kind === 'embedded' ? database.url : null,
      schema,
    },
    [],
  )
}

function greeting({ database, schema }: Everything): string {
  const version = ownVersion()
  if (database.kind === 'given')
    return `Tusk ${version} runs in ${database.place}, schema ${schema}.`
  const { version: postgres, port, dataDirectory } = database.cluster
  return [
    `Tusk ${version} runs in Postgres ${postgres} on port ${port}, schema ${schema}.`,
    `Its data is in ${dataDirectory}.`,
  ].join('\n')
}

/** One through each door: HTTP, the command line, SQL. */
async function thingsToTry(
  config: Config,
  { database, schema, server, token }: Everything,
  env: NodeJS.ProcessEnv,
): Promise<string[]> {
  const name = /^[a-z_][a-z0-9_]*$/.test(schema) ? schema : escapeIdentifier(schema)
  const task = `{"queue": "mail", "payload": {"to": "ada"}}`
  const flags = flagsOf(config, schema)
  const query = `select * from ${name}.enqueue('mail', '{"to": "ada"}');`
  const psql = await psqlFor(config, database, env)
  return [
    `curl ${server.url}/api/v1/tasks -H 'Authorization: Bearer ${token.token}' -H 'Content-Type: application/json' -d '${task}'`,
    `npx tusk sql 'select now()' --wait${flags}`,
    psql === undefined
      ? `${query}  -- with any Postgres client`
      : `${psql} -c ${quoteForShell(query)}`,
  ]
}

/** What another command needs to be told to find the same engine. The URL is for the person to repeat. */
export function flagsOf(config: Config, schema: string): string {
  const { source } = config.resolved('database.url')
  const place = source.from === 'flag' ? ' --database-url postgres://…' : ''
  return schema === 'tusk' ? place : `${place} --schema ${quoteForShell(schema)}`
}

/** A URL of the person's own is not repeated: it may hold a password. */
async function psqlFor(
  config: Config,
  database: Database,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  if (!(await hasPsql(env))) return undefined
  if (database.kind === 'embedded') return `psql '${database.url}'`
  const { source } = config.resolved('database.url')
  return source.from === 'env' ? `psql "$${source.name}"` : undefined
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
