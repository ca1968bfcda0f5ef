import { Tusk } from '../../client/tusk.ts'
import { migrate } from '../../db/migrate.ts'
import { upgradeDialects } from '../../dialects/upgrade-dialects.ts'
import type { Config } from '../config/config.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../database/database.ts'
import { summarizeDialect } from '../output/summarize.ts'
import type { Io } from '../process/io.ts'
import { say } from '../process/io.ts'
import { databaseService } from './database-service.ts'
import { sqlAccess } from './embedded-sql.ts'
import { openServer, type Server } from './open-server.ts'
import { serveSql } from './serve-sql.ts'
import type { Services } from './services.ts'
import { type StartToken, startToken } from './start-token.ts'
import { openUnlessStopped } from './unless-stopped.ts'

/** An engine that is there, and who works for it. */
export interface Started {
  readonly database: Database
  readonly schema: string
  readonly tusk: Tusk
}

/** All that one command brings up. */
export interface Everything extends Started {
  readonly server: Server
  readonly token: StartToken
}

export interface StartAllOptions {
  readonly config: Config
  readonly io: Io
  readonly services: Services
  readonly stopRequested: Promise<void>
  readonly databaseOptions: DatabaseOptions
  /** Of the engine, unless the configuration says another. */
  readonly schemaFor?: (database: Database) => string
  /** What else works on the engine. It is started before the server, and so stopped after it. */
  readonly startMore?: (engine: Started) => Promise<void>
}

/** Database, schema, SQL and chores, API and dashboard, in this order; they are stopped in the other. */
export async function startAll(options: StartAllOptions): Promise<Everything> {
  const { config, io, services, stopRequested } = options
  const opening = openDatabase(options.databaseOptions, io)
  const database = await openUnlessStopped(stopRequested, opening)
  services.add(databaseService(database, io))

  const schema = schemaOf(options, database)
  const report = await migrate(database.url, { schema, roles: config.get('database.roles') })
  for (const notice of report.notices) say(io, `Note: ${notice}`)
  for (const dialect of await upgradeDialects(database.url, { engineSchema: schema }))
    say(io, summarizeDialect(dialect))

  const isEmbedded = database.kind === 'embedded'
  const { sql, serverUrl } = await sqlAccess(config, { url: database.url, isEmbedded })
  services.add(await serveSql({ url: directUrl(config, database), schema, config, io, sql }))
  const tusk = await Tusk.open({
    database: serverUrl,
    schema,
    listen: config.get('database.directUrl') ?? true,
  })
  services.add({ stop: () => tusk.close() })
  await options.startMore?.({ database, schema, tusk })

  const token = await startToken(tusk, database, schema, io)
  services.add({ stop: () => token.release() })
  const server = await openServer({ tusk, config, allowsSql: isEmbedded, io })
  services.add(server)
  return { database, schema, tusk, server, token }
}

function schemaOf({ config, schemaFor }: StartAllOptions, database: Database): string {
  const isSaid = config.said('database.schema') !== undefined
  return isSaid || schemaFor === undefined ? config.get('database.schema') : schemaFor(database)
}

/** Workers need sessions that last. */
export function directUrl(config: Config, { url }: Pick<Database, 'url'>): string {
  return config.get('database.directUrl') ?? url
}
