import { type ClientBase, escapeIdentifier } from 'pg'
import {
  type InstallPatience,
  type InstallReport,
  install,
  lockTimeoutOf,
  patienceOptions,
} from '../db/install.ts'
import { type InstallScript, writeInstallScript } from '../db/install-script.ts'
import { translate } from '../db/queryable.ts'
import { requireSchemaName } from '../db/schema-name.ts'
import { checkOwnSchemas } from '../db/schema-owner.ts'
import { readSqlFiles } from '../db/sql-files.ts'
import { type Target, withClient } from '../db/with-client.ts'
import { type KnownOptions, requireOptions } from '../lib/require-known.ts'
import type { Dialect, DialectPlace } from './dialect.ts'
import { dialectMigration } from './dialect-migration.ts'
import { findDialect } from './dialects.ts'
import { readEngineRoles, requireEngine } from './engine-beneath.ts'
import { requireFreeSchema } from './require-free-schema.ts'

/** Where a dialect is installed. */
export interface InstallDialectOptions extends InstallPatience {
  /** The dialect's name, for example `fetchq`. */
  readonly dialect: string | Dialect
  /**
   * The schema to install into, created if it is missing. By default the dialect's own name for it. With
   * `public`, `pg-background` is installed in its own schema, and its calls are made in `public` too.
   */
  readonly schema?: string | undefined
  /** The schema of the engine that it stands on, by default `tusk`. */
  readonly engineSchema?: string | undefined
}

/** What installing a dialect did. */
export interface DialectReport extends InstallReport {
  readonly dialect: string
  readonly engineSchema: string
}

const dialectOptions: KnownOptions<InstallDialectOptions> = {
  ...patienceOptions,
  dialect: true,
  schema: true,
  engineSchema: true,
}

/**
 * Installs a dialect over an engine, or upgrades it, in one transaction; does nothing when it is
 * there already.
 *
 * The owner of the engine installs it: its functions call the engine with their owner's rights, so
 * that callers need none there. Who may call which is granted to the engine's roles.
 */
export async function installDialect(
  target: Target,
  options: InstallDialectOptions,
): Promise<DialectReport> {
  requireOptions('installDialect()', options, dialectOptions)
  const dialect =
    typeof options.dialect === 'string' ? findDialect(options.dialect) : options.dialect
  const isPublic = options.schema === 'public' && dialect.publish !== undefined
  const given = isPublic ? undefined : options.schema
  const schema = requireSchemaName(given ?? dialect.schema)
  const engineSchema = requireSchemaName(options.engineSchema ?? 'tusk')
  return withClient(target, async (client) => {
    await checkOwnSchemas(client, [engineSchema, schema])
    await requireEngine(client, engineSchema)
    // What makes room looks for itself.
    if (options.before === undefined)
      await requireFreeSchema(client, { dialect, schema, engineSchema })
    const script = await writeScript(client, { dialect, schema, engineSchema }, options)
    const report = await install(client, schema, script, options)
    if (isPublic) await publish(client, schema, dialect.publish)
    return { dialect: dialect.name, engineSchema, ...report }
  })
}

/** Makes the calls of a dialect in the schema public. */
async function publish(client: ClientBase, schema: string, name: string): Promise<void> {
  try {
    await client.query(`select ${escapeIdentifier(schema)}.${name}('public')`)
  } catch (error) {
    throw translate(error)
  }
}

async function writeScript(
  client: ClientBase,
  { dialect, schema, engineSchema }: DialectPlace,
  patience: InstallPatience,
): Promise<InstallScript> {
  const rolePrefix = await readEngineRoles(client, engineSchema)
  const files = [
    dialectMigration(dialect, engineSchema),
    ...(await readSqlFiles(dialect.directory)),
  ]
  return writeInstallScript(
    { schema, engineSchema, rolePrefix, lockTimeoutMs: lockTimeoutOf(patience) },
    files,
  )
}
