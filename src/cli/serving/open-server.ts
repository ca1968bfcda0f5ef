import type { Tusk } from '../../client/tusk.ts'
import type { Config } from '../config/config.ts'
import type { Io } from '../process/io.ts'
import { openConsoleLogger } from './console-logger.ts'
import type { Service } from './services.ts'

/** The HTTP server, and where it is. */
export interface Server extends Service {
  /** Where people find it, without a slash at its end. */
  readonly url: string
}

export interface ServerOptions {
  readonly tusk: Tusk
  readonly config: Config
  /** Whether SQL tasks may come over HTTP by default. */
  readonly allowsSql: boolean
  readonly io: Io
}

/** Serves the API and the dashboard as the configuration says. */
export async function openServer({ tusk, config, allowsSql, io }: ServerOptions): Promise<Server> {
  // Loaded only here: commands that serve nothing should not wait for it.
  const { serveHttp } = await import('../../http/serve.ts')
  const rate = config.get('http.rateLimit')
  const server = await serveHttp({
    tusk,
    host: config.get('http.host'),
    port: config.get('http.port'),
    basePath: config.get('http.basePath'),
    sql: config.get('http.sql') ?? allowsSql,
    trustProxy: config.get('http.trustProxy'),
    maxBodyBytes: config.get('http.bodyLimit'),
    rateLimit: rate ? { perSecond: rate, burst: 2 * rate } : undefined,
    openMetrics: config.get('http.openMetrics'),
    logger: openConsoleLogger(io, 'http', config.get('logLevel')),
  })
  return { url: server.url, stop: () => server.close() }
}
