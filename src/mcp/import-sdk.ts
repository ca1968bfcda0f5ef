import { TuskError } from '../lib/errors.ts'

type ServerModule = typeof import('@modelcontextprotocol/sdk/server/index.js')
type StdioModule = typeof import('@modelcontextprotocol/sdk/server/stdio.js')
type TypesModule = typeof import('@modelcontextprotocol/sdk/types.js')

export type McpSdk = Pick<ServerModule, 'Server'> &
  Pick<StdioModule, 'StdioServerTransport'> &
  Pick<TypesModule, 'CallToolRequestSchema' | 'ListToolsRequestSchema'>

/** An optional package: with what it brings it is ten times as large as ours, and few installations need it. */
const packageName: string = '@modelcontextprotocol/sdk'

/** The SDK, if it is installed. The name is not written where bundlers look for it. */
export async function importMcpSdk(): Promise<McpSdk> {
  const load = async <T>(path: string) =>
    (await import(/* webpackIgnore: true */ /* @vite-ignore */ `${packageName}/${path}`)) as T
  try {
    const { Server } = await load<ServerModule>('server/index.js')
    const { StdioServerTransport } = await load<StdioModule>('server/stdio.js')
    const { CallToolRequestSchema, ListToolsRequestSchema } = await load<TypesModule>('types.js')
    return { Server, StdioServerTransport, CallToolRequestSchema, ListToolsRequestSchema }
  } catch (error) {
    throw notInstalled(error)
  }
}

function notInstalled(cause: unknown): TuskError {
  const hint = `Install it beside pgtusk: npm install ${packageName}`
  return new TuskError('invalid_argument', `tusk mcp needs the package ${packageName}`, {
    hint,
    cause,
  })
}
