import { access, constants } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { escapeIdentifier } from 'pg'
import { quoteForShell } from '../../lib/quote-for-shell.ts'
import type { Config } from '../config/config.ts'
import type { Io } from '../process/io.ts'
import { helloQueue } from './hello-task.ts'
import type { Everything } from './start-all.ts'

/** How a command in another terminal finds the same engine. */
export interface CommandReach {
  /** A whole line for a command such as `stats --watch`. */
  command(words: string): string
  /** What must be set in that terminal, in words; a URL with a password is not repeated. */
  readonly needs: string | undefined
}

export function commandReach(config: Config, { schema }: Everything, io: Io): CommandReach {
  const { needs, flag } = placeOf(config)
  const home = config.resolved('embedded.directory')
  const isHomeNeeded = config.get('database.url') === undefined && home.source.from === 'env'
  const flags = [
    flag,
    ...(isFoundFrom(io.cwd ?? process.cwd(), config.file)
      ? []
      : [`--config ${quoteForShell(config.file)}`]),
    ...(schema === 'tusk' ? [] : [`--schema ${quoteForShell(schema)}`]),
  ].filter((each) => each !== undefined)
  const before = isHomeNeeded ? `TUSK_HOME=${quoteForShell(String(home.value))} ` : ''
  return { needs, command: (words) => [`${before}npx tusk ${words}`, ...flags].join(' ') }
}

/** One through each door: HTTP, the command line, SQL. A worker of this process runs them all. */
export async function thingsToTry(config: Config, all: Everything, io: Io): Promise<string[]> {
  const { schema, server, token } = all
  const { command } = commandReach(config, all, io)
  const name = /^[a-z_][a-z0-9_]*$/.test(schema) ? schema : escapeIdentifier(schema)
  const payload = '{"name": "Ada"}'
  const task = `{"queue": "${helloQueue}", "payload": ${payload}}`
  const query = `select * from ${name}.enqueue('${helloQueue}', '${payload}');`
  const psql = await psqlFor(config, all, io.env)
  return [
    `curl ${server.url}/api/v1/tasks -H 'Authorization: Bearer ${token.token}' -H 'Content-Type: application/json' -H 'Prefer: wait=10' -d '${task}'`,
    command(`task add ${helloQueue} --payload ${quoteForShell(payload)} --wait`),
    command(`sql 'select now()' --wait`),
    psql === undefined
      ? `${query}  -- with any Postgres client`
      : `${psql} -c ${quoteForShell(query)}`,
  ]
}

interface Place {
  readonly flag?: string
  readonly needs: string | undefined
}

function placeOf(config: Config): Place {
  const { source, value } = config.resolved('database.url')
  if (source.from === 'env') return { needs: `where ${source.name} is set as here` }
  if (source.from !== 'flag') return { needs: undefined }
  if (!hasPassword(String(value)))
    return { flag: `--database-url ${quoteForShell(String(value))}`, needs: undefined }
  return {
    flag: '--database-url "$DATABASE_URL"',
    needs: 'with DATABASE_URL set to the URL that you gave',
  }
}

function hasPassword(url: string): boolean {
  try {
    const { password, searchParams } = new URL(url)
    return password !== '' || searchParams.has('password')
  } catch {
    return true
  }
}

/** A configuration file in the folder of the command, or above, is found without being named. */
function isFoundFrom(cwd: string, file: string | undefined): file is undefined {
  if (file === undefined) return true
  const above = dirname(cwd)
  const isUsual = /[\\/]tusk\.config\.(json|mjs)$/.test(file)
  if (isUsual && dirname(file) === cwd) return true
  return above !== cwd && isFoundFrom(above, file)
}

/** A URL of the person's own is not repeated: it may hold a password. */
async function psqlFor(
  config: Config,
  { database }: Everything,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  if (!(await hasPsql(env))) return undefined
  if (database.kind === 'embedded') return `psql '${database.url}'`
  const { source, value } = config.resolved('database.url')
  if (source.from === 'env') return `psql "$${source.name}"`
  if (source.from !== 'flag') return undefined
  return hasPassword(String(value))
    ? 'psql "$DATABASE_URL"'
    : `psql ${quoteForShell(String(value))}`
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
