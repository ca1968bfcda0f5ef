import { ownVersion } from '../../lib/version.ts'
import type { Config } from '../config/config.ts'
import type { Screen } from '../output/screen.ts'
import { give, paint, say } from '../process/io.ts'
import type { Everything } from './start-all.ts'
import { commandReach, thingsToTry } from './things-to-try.ts'

/** Says where everything is, and what to try. The connection string is data, or all of it with -o json. */
export async function announce(
  screen: Screen,
  config: Config,
  all: Everything,
  { watch }: { readonly watch?: string } = {},
): Promise<void> {
  const { io } = screen
  const { database, server, token } = all
  const title = (text: string) => paint(io, 'bold', text)
  say(io, greeting(all))
  say(io)
  say(io, `${title('Dashboard')}  ${dashboardUrl(all)}`)
  say(io, `${title('API')}        ${server.url}/api/v1 (described at ${server.url}/api/v1/docs)`)
  say(io, `${title('Token')}      ${token.token} (${token.fate})`)
  if (screen.format !== 'table' && config.said('output') !== undefined) giveAll(screen, all)
  else if (database.kind === 'embedded') {
    say(io, title('Connection string'))
    give(io, database.url)
  }
  const reach = commandReach(config, all, io)
  say(io)
  if (watch !== undefined) {
    say(io, title('Watch'))
    say(io, `  ${reach.command(watch)}`)
    say(io)
  }
  say(io, `${title('Try it')}${reach.needs === undefined ? '' : ` (${reach.needs})`}`)
  for (const line of await thingsToTry(config, all, io)) say(io, `  ${line}`)
  say(io)
  say(io, paint(io, 'dim', 'Ctrl-C stops.'))
}

function dashboardUrl({ server, token }: Everything): string {
  return `${server.url}/#token=${token.token}`
}

function giveAll(screen: Screen, all: Everything): void {
  const { database, schema, server, token } = all
  screen.one(
    {
      dashboard: dashboardUrl(all),
      api: `${server.url}/api/v1`,
      token: token.token,
      database: database.kind === 'embedded' ? database.url : null,
      schema,
    },
    [],
  )
}

function greeting({ database, schema }: Everything): string {
  const version = ownVersion()
  if (database.kind === 'given')
    return `Tusk ${version} runs in ${database.place}, schema ${schema}.`
  const { version: postgres, port, dataDirectory } = database.cluster
  return [
    `Tusk ${version} runs in Postgres ${postgres} on port ${port}, schema ${schema}.`,
    `Its data is in ${dataDirectory}.`,
  ].join('\n')
}
