import { Command } from 'commander'
import type { Config } from '../config/config.ts'
import { configuredAction } from '../config/configured-action.ts'
import type { Database, DatabaseOptions } from '../database/database.ts'
import { startDemo } from '../demo/start-demo.ts'
import { withExamples } from '../options/examples.ts'
import { postgresPortOption } from '../options/port-option.ts'
import { withSchema } from '../options/schema-options.ts'
import type { Screen } from '../output/screen.ts'
import type { Io } from '../process/io.ts'
import { announce } from '../serving/announce.ts'
import { withLog, withServer } from '../serving/server-options.ts'
import { keepAliveUntil, Services } from '../serving/services.ts'
import { directUrl, startAll } from '../serving/start-all.ts'

/** `tusk demo`: everything, and something to look at. */
export function demoCommand(io: Io): Command {
  const command = withExamples(
    new Command('demo'),
    ['tusk demo'],
    ['tusk stats --watch', 'in a second terminal'],
  )
  return withLog(withServer(withSchema(command)))
    .description(
      'As start, with a small lively workload: queues, failures, limits, schedules, SQL, documents',
    )
    .option('--database-url <url>', 'your Postgres (default: DATABASE_URL, else the embedded one)')
    .addOption(postgresPortOption())
    .action(configuredAction(io, demo))
}

async function demo(screen: Screen, config: Config, options: DatabaseOptions): Promise<void> {
  const { io } = screen
  const services = new Services(io)
  const stopRequested = io.stopRequested()
  try {
    const all = await startAll({
      config,
      io,
      services,
      stopRequested,
      databaseOptions: options,
      schemaFor,
      startMore: ({ tusk, database }) =>
        startDemo({ tusk, url: directUrl(config, database), config, io, services }),
    })
    await announce(screen, config, all, { watch: 'stats --watch' })
    await keepAliveUntil(stopRequested)
  } finally {
    await services.stopAll()
  }
}

/** A database of others is left as it is, but for a schema that says what it is. */
function schemaFor(database: Database): string {
  return database.kind === 'embedded' ? 'tusk' : 'tusk_demo'
}
