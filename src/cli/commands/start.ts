import { Command } from 'commander'
import type { Config } from '../config/config.ts'
import { configuredAction } from '../config/configured-action.ts'
import type { DatabaseOptions } from '../database/database.ts'
import { withExamples } from '../options/examples.ts'
import { postgresPortOption } from '../options/port-option.ts'
import { withSchema } from '../options/schema-options.ts'
import type { Screen } from '../output/screen.ts'
import type { Io } from '../process/io.ts'
import { announce } from '../serving/announce.ts'
import { withLog, withServer } from '../serving/server-options.ts'
import { keepAliveUntil, Services } from '../serving/services.ts'
import { startAll } from '../serving/start-all.ts'

/** `tusk start`: everything, until you say stop. */
export function startCommand(io: Io): Command {
  const command = withExamples(
    new Command('start'),
    ['tusk start', 'on a Postgres of its own'],
    ['DATABASE_URL=postgres://… tusk start', 'on yours'],
    ['tusk start --port 9000', 'the dashboard on another port'],
  )
  return withLog(withServer(withSchema(command)))
    .description(
      'Bring up everything: Postgres or yours, the engine, SQL tasks, the HTTP API and the dashboard',
    )
    .option('--database-url <url>', 'your Postgres (default: DATABASE_URL, else the embedded one)')
    .option('--allow-remote', 'allow SQL tasks to bring their own connection string')
    .addOption(postgresPortOption())
    .action(configuredAction(io, start))
}

async function start(screen: Screen, config: Config, options: DatabaseOptions): Promise<void> {
  const { io } = screen
  const services = new Services(io)
  // Asked for first, so that Ctrl-C during a slow start ends it cleanly too.
  const stopRequested = io.stopRequested()
  try {
    const all = await startAll({ config, io, services, stopRequested, databaseOptions: options })
    await announce(screen, config, all)
    await keepAliveUntil(stopRequested)
  } finally {
    await services.stopAll()
  }
}
