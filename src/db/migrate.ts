import { type KnownOptions, requireOptions } from '../lib/require-known.ts'
import {
  type InstallPatience,
  type InstallReport,
  install,
  lockTimeoutOf,
  patienceOptions,
} from './install.ts'
import { type InstallScript, writeInstallScript } from './install-script.ts'
import { compare, type FileStatus, readInstalled } from './installed.ts'
import { requireSchemaName, rolePrefix } from './schema-name.ts'
import { readSqlFiles } from './sql-files.ts'
import { packagedSql } from './sql-source.ts'
import { type Target, withClient } from './with-client.ts'

/** Where to install Tusk, and how to name its roles. */
export interface MigrateOptions extends InstallPatience {
  /** The schema to install into, created if it does not exist. Default: `tusk`. */
  readonly schema?: string | undefined
  /** The prefix of the four role names. Default: the schema's name. False for no roles. */
  readonly roles?: string | false | undefined
  /** A folder of SQL other than the one that ships with this version. */
  readonly directory?: string | undefined
}

/** What a migration applied. */
export type MigrationReport = InstallReport

/** Installs or upgrades a schema to this version, in one transaction. Does nothing if it is up to date. */
export async function migrate(
  target: Target,
  options: MigrateOptions = {},
): Promise<MigrationReport> {
  const { schema, script } = await prepare(options)
  return withClient(target, (client) => install(client, schema, script, options))
}

/** Lists each file and its state in the database: applied, pending, changed, removed, edited or newer. */
export async function listMigrations(
  target: Target,
  options: MigrateOptions = {},
): Promise<FileStatus[]> {
  const { schema, script } = await prepare(options)
  const installed = await withClient(target, (client) => readInstalled(client, schema))
  return compare(script.files, installed ?? [])
}

/** The same as one script for psql. It installs and upgrades, and you can run it again. */
export async function migrationSql(options: MigrateOptions = {}): Promise<string> {
  const { script } = await prepare(options)
  return `begin isolation level read committed;\n${script.text}\ncommit;\n`
}

const migrateOptions: KnownOptions<MigrateOptions> = {
  ...patienceOptions,
  schema: true,
  roles: true,
  directory: true,
}

async function prepare(
  options: MigrateOptions,
): Promise<{ readonly schema: string; readonly script: InstallScript }> {
  requireOptions('migrate()', options, migrateOptions)
  const schema = requireSchemaName(options.schema ?? 'tusk')
  const target = {
    schema,
    rolePrefix: rolePrefix(schema, options.roles),
    lockTimeoutMs: lockTimeoutOf(options),
  }
  const files = await readSqlFiles(options.directory ?? packagedSql)
  return { schema, script: await writeInstallScript(target, files) }
}
