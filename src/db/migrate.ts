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

/** Where to install Tusk, and how its roles are named. */
export interface MigrateOptions extends InstallPatience {
  /** The schema to install into, made if it is not there. `tusk` unless told otherwise. */
  readonly schema?: string | undefined
  /** What the names of the four roles start with: the schema's name unless told otherwise; false for no roles. */
  readonly roles?: string | false | undefined
  /** Another folder of SQL than the one that ships with this version. */
  readonly directory?: string | undefined
}

/** What a migration applied. */
export type MigrationReport = InstallReport

/** Brings a schema to this version, in one transaction; does nothing when it is there already. */
export async function migrate(
  target: Target,
  options: MigrateOptions = {},
): Promise<MigrationReport> {
  const { schema, script } = await prepare(options)
  return withClient(target, (client) => install(client, schema, script, options))
}

/** How each file stands against the database: applied, pending, changed, removed, edited or newer. */
export async function listMigrations(
  target: Target,
  options: MigrateOptions = {},
): Promise<FileStatus[]> {
  const { schema, script } = await prepare(options)
  const installed = await withClient(target, (client) => readInstalled(client, schema))
  return compare(script.files, installed ?? [])
}

/** The same as one script for psql. It installs and it upgrades, and may be run again. */
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
