import { Command } from 'commander'
import { Tusk } from '../../client/tusk.ts'
import type { Config } from '../config/config.ts'
import { configuredAction } from '../config/configured-action.ts'
import { reach } from '../database/database.ts'
import { findRunningDatabase } from '../database/running-database.ts'
import { type TuskOptions, withEngine } from '../database/with-tusk.ts'
import { withExamples } from '../options/examples.ts'
import type { Screen } from '../output/screen.ts'
import { type Io, say } from '../process/io.ts'
import { sqlAccess } from '../serving/embedded-sql.ts'
import { openServer } from '../serving/open-server.ts'
import { withLog, withServer } from '../serving/server-options.ts'
import { keepAliveUntil, Services } from '../serving/services.ts'

/** `tusk serve`: the HTTP API and the dashboard, over an engine that is installed already. */
export function serveCommand(io: Io): Command {
  const command = withExamples(
    new Command('serve'),
    ['tusk serve'],
    ['tusk serve --http-host 0.0.0.0 --http-base-path /tusk', 'behind a proxy; needs tokens'],
  )
  return withLog(withServer(withEngine(command)))
    .description('Serve the HTTP API and the dashboard; changes no schema and runs no tasks')
    .action(configuredAction(io, serve))
}

async function serve(screen: Screen, config: Config, options: TuskOptions): Promise<void> {
  const { io } = screen
  const services = new Services(io)
  const stopRequested = io.stopRequested()
  try {
    const running = await findRunningDatabase(options, io)
    const place = await reach(running.url)
    const { serverUrl: database } = await sqlAccess(config, running)
    const schema = config.get('database.schema')
    const listen = config.get('database.directUrl') ?? true
    const tusk = await Tusk.open({ database, schema, listen })
    services.add({ stop: () => tusk.close() })
    const server = await openServer({ tusk, config, allowsSql: false, io })
    services.add(server)
    screen.value(server.url, { url: server.url, api: `${server.url}/api/v1` })
    say(io, `Serving ${place}, schema ${schema}; Ctrl-C stops.`)
    if (!(await tusk.tokens.exist())) say(io, noTokens)
    await keepAliveUntil(stopRequested)
  } finally {
    await services.stopAll()
  }
}

const noTokens = 'There is no token yet. Make one: tusk token create me --scope admin'
