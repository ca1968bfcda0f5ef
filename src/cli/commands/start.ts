import { Command } from 'commander'
import type { Config } from '../config/config.ts'
import { configuredAction } from '../config/configured-action.ts'
import type { DatabaseOptions } from '../database.ts'
import { withExamples } from '../examples.ts'
import type { Io } from '../io.ts'
import type { Screen } from '../output/screen.ts'
import { portOption } from '../port-option.ts'
import { withSchema } from '../schema-options.ts'
import { announce } from '../serving/announce.ts'
import { withLog, withServer } from '../serving/server-options.ts'
import { Services, stayUntil } from '../serving/services.ts'
import { startAll } from '../serving/start-all.ts'

/** `tusk start`: everything, until you say stop. */
export function startCommand(io: Io): Command {
  const command = withExamples(
    new Command('start'),
    ['tusk start', 'on a Postgres of its own'],
    ['DATABASE_URL=postgres://… tusk start', 'on yours'],
    ['tusk start --http-port 9000'],
  )
  return withLog(withServer(withSchema(command)))
    .description(
      'Bring up everything: Postgres or yours, the engine, SQL tasks, the HTTP API and the dashboard',
    )
    .option('--database-url <url>', 'your Postgres (default: DATABASE_URL, else the embedded one)')
    .addOption(portOption())
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
    await stayUntil(stopRequested)
  } finally {
    await services.stopAll()
  }
}
