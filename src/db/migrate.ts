import type { ClientBase } from 'pg'
import {
  type InstallScript,
  type InstallTarget,
  readInstallScript,
  takeTurns,
} from './install-script.ts'
import { compare, type FileStatus, readInstalled } from './installed.ts'
import { isPassing, schemaLocked } from './locks.ts'
import { translate } from './queryable.ts'
import { type RetryLimits, retry } from './retry.ts'
import { requireSchemaName, rolePrefix } from './schema-name.ts'
import { packagedSql } from './sql-files.ts'
import { type Target, withClient } from './with-client.ts'

export interface MigrateOptions {
  /** The schema to install into, made if it is not there. `tusk` unless told otherwise. */
  readonly schema?: string | undefined
  /** What the names of the four roles start with: the schema's name unless told otherwise; false for no roles. */
  readonly roles?: string | false | undefined
  /** Another folder of SQL than the one that ships with this version. */
  readonly directory?: string | undefined
  /** How long to stand in line for the tables before making room again. */
  readonly lockTimeoutMs?: number | undefined
  /** How often to stand in line before giving up with `schema_locked`. */
  readonly tries?: number | undefined
  /** The longest pause after the first try in vain; it doubles with each further one. */
  readonly retryDelayMs?: number | undefined
}

export interface MigrationReport {
  readonly schema: string
  /** The files that were new or changed, by their path in sql/. */
  readonly applied: readonly string[]
  /** The files that are no more, and whose functions are gone with them. */
  readonly removed: readonly string[]
  /** What could not be done and is not needed to work, in sentences. */
  readonly notices: readonly string[]
}

/** Brings a schema to this version, in one transaction; does nothing when it is there already. */
export async function migrate(
  target: Target,
  options: MigrateOptions = {},
): Promise<MigrationReport> {
  const installTarget = resolve(options)
  const script = await readInstallScript(installTarget)
  return withClient(target, (client) =>
    install(client, installTarget.schema, script, limits(options)),
  )
}

/** How each file stands against the database: applied, pending, changed, removed, edited or newer. */
export async function listMigrations(
  target: Target,
  options: MigrateOptions = {},
): Promise<FileStatus[]> {
  const installTarget = resolve(options)
  const { files } = await readInstallScript(installTarget)
  const installed = await withClient(target, (client) =>
    readInstalled(client, installTarget.schema),
  )
  return compare(files, installed ?? [])
}

/** The same as one script for psql. It installs and it upgrades, and may be run again. */
export async function migrationSql(options: MigrateOptions = {}): Promise<string> {
  const { text } = await readInstallScript(resolve(options))
  return `begin isolation level read committed;\n${text}\ncommit;\n`
}

function resolve(options: MigrateOptions): InstallTarget {
  const schema = requireSchemaName(options.schema ?? 'tusk')
  return {
    schema,
    rolePrefix: rolePrefix(schema, options.roles),
    directory: options.directory ?? packagedSql,
    lockTimeoutMs: options.lockTimeoutMs ?? 2_000,
  }
}

function limits({ tries = 15, retryDelayMs = 200 }: MigrateOptions): RetryLimits {
  return { tries, delayMs: retryDelayMs, longestDelayMs: 4_000 }
}

async function install(
  client: ClientBase,
  schema: string,
  script: InstallScript,
  retryLimits: RetryLimits,
): Promise<MigrationReport> {
  const notices = new Set<string>()
  const listen = ({ message, hint }: { message?: string | undefined; hint?: string | undefined }) =>
    notices.add([message, hint].filter(Boolean).join('. '))
  client.on('notice', listen)
  try {
    const changes = await retry(retryLimits, isPassing, () => installOnce(client, schema, script))
    return { schema, ...changes, notices: [...notices] }
  } catch (error) {
    throw isPassing(error) ? await schemaLocked(client, schema, error) : translate(error)
  } finally {
    client.off('notice', listen)
  }
}

async function installOnce(
  client: ClientBase,
  schema: string,
  script: InstallScript,
): Promise<Pick<MigrationReport, 'applied' | 'removed'>> {
  try {
    await client.query(
      `begin isolation level read committed;
       set local statement_timeout = 0;
       set local lock_timeout = 0;
       select ${takeTurns(schema)}`,
    )
    const changes = compare(script.files, (await readInstalled(client, schema)) ?? []).filter(
      ({ state }) => state !== 'applied',
    )
    if (changes.length > 0) await client.query(script.text)
    await client.query('commit')

    const removed = changes.filter(({ state }) => state === 'removed')
    const applied = changes.filter(({ state }) => state !== 'removed')
    return { applied: applied.map(({ path }) => path), removed: removed.map(({ path }) => path) }
  } catch (error) {
    // When this cannot be sent, the connection is gone and the transaction with it.
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
