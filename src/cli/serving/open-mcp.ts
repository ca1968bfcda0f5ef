import { Tusk } from '../../client/tusk.ts'
import { TuskError } from '../../lib/errors.ts'
import type { Ask } from '../../mcp/call-operation.ts'
import type { Io } from '../process/io.ts'
import { openConsoleLogger } from './console-logger.ts'
import type { Service } from './services.ts'

/** The API, and what must be closed after it. */
export interface ReachedApi extends Service {
  readonly ask: Ask
}

export interface DirectOptions {
  readonly database: string
  readonly schema: string | undefined
  readonly token: string
  readonly io: Io
}

/** The API of a server that runs elsewhere. */
export function reachServer(url: string, token: string): ReachedApi {
  const base = serverAddress(url)
  return {
    ask: (path, init) =>
      fetch(`${base}${path}`, withToken(init, token)).catch((cause: unknown) => {
        throw new TuskError('invalid_argument', `cannot reach the server at ${base}`, {
          hint: 'Check --url, and that tusk serve or tusk start runs there.',
          cause,
        })
      }),
    stop: () => Promise.resolve(),
  }
}

function serverAddress(url: string): string {
  const hint =
    'Give the address of the dashboard, such as https://tusk.example or http://127.0.0.1:8787.'
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new TuskError('invalid_argument', `${url} is not an http address`, { hint })
  return url.replace(/[?#].*$/, '').replace(/\/+$/, '')
}

/** The same API in this process, on the database: tokens, scopes and the audit are those of every server. */
export async function reachDatabase(options: DirectOptions): Promise<ReachedApi> {
  const { database, schema, token, io } = options
  const { createHttp } = await import('../../http/app.ts')
  const tusk = await Tusk.open({ database, schema, listen: false })
  const logger = openConsoleLogger(io, 'mcp', 'warn')
  const http = await createHttp({ tusk, dashboard: false, readConnections: 2, logger })
  return {
    ask: (path, init) => http.fetch(new Request(`http://localhost${path}`, withToken(init, token))),
    stop: async () => {
      await http.close()
      await tusk.close()
    },
  }
}

function withToken(init: RequestInit, token: string): RequestInit {
  const headers = new Headers(init.headers)
  headers.set('authorization', `Bearer ${token}`)
  headers.set('user-agent', 'tusk-mcp')
  return { ...init, headers }
}
