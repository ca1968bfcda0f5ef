import { Command } from 'commander'
import { TuskError } from '../../lib/errors.ts'
import { reach } from '../database/database.ts'
import { runningDatabaseUrl } from '../database/running-database.ts'
import { type TuskOptions, withEngine } from '../database/with-tusk.ts'
import { withExamples } from '../options/examples.ts'
import { collectValues } from '../options/parse-argument.ts'
import type { Screen } from '../output/screen.ts'
import type { Io } from '../process/io.ts'
import { type ReachedApi, reachDatabase, reachServer } from '../serving/open-mcp.ts'
import { Services } from '../serving/services.ts'
import { action } from './action.ts'

interface McpCommandOptions extends TuskOptions {
  readonly url?: string
  readonly actions?: boolean
  readonly only?: readonly string[]
}

/** `tusk mcp`: the HTTP API as tools of an agent. */
export function mcpCommand(io: Io): Command {
  const command = withEngine(new Command('mcp'))
    .description('Serve agents the HTTP API as MCP tools, on standard input and output')
    .option('--url <address>', 'server to ask (default: the database, without a server)')
    .option('--actions', 'also offer tools that change something, as far as the token allows')
    .option(
      '--only <heading>',
      'offer only one part of the API, such as Tasks; may be repeated',
      collectValues,
    )
    .action(action<McpCommandOptions>(io, serve))
  return withExamples(
    command,
    ['TUSK_TOKEN=tusk_… tusk mcp', 'reads only, on DATABASE_URL'],
    ['TUSK_TOKEN=tusk_… tusk mcp --url https://tusk.example --actions --only Tasks --only Queues'],
  )
}

async function serve(screen: Screen, options: McpCommandOptions): Promise<void> {
  const { io } = screen
  const services = new Services(io)
  const stopRequested = io.stopRequested()
  try {
    const api = await reachApi(options, requireToken(io), io)
    services.add(api)
    const { actions = false, only = [] } = options
    const { serveMcp } = await import('../../mcp/serve-mcp.ts')
    const session = await serveMcp({ ask: api.ask, actions, only })
    services.add({ stop: () => session.close() })
    const kind = actions ? 'reads and actions' : 'reads only'
    screen.say(`MCP: ${session.tools} tools for ${session.caller} (${kind}).`)
    await Promise.race([session.ended, stopRequested])
  } finally {
    await services.stopAll()
  }
}

function requireToken(io: Io): string {
  const token = io.env['TUSK_TOKEN']
  if (token) return token
  throw new TuskError('invalid_argument', 'tusk mcp needs a token in TUSK_TOKEN', {
    hint: 'Create one: tusk token create agent --scope read',
  })
}

async function reachApi(options: McpCommandOptions, token: string, io: Io): Promise<ReachedApi> {
  if (options.url !== undefined) return reachServer(options.url, token)
  const database = await runningDatabaseUrl(options, io)
  await reach(database)
  const schema = options.schema ?? (io.env['TUSK_SCHEMA'] || undefined)
  return reachDatabase({ database, schema, token, io })
}
