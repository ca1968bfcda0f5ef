import pg from 'pg'
import { Listener } from '../db/listen.ts'
import { readingOurWay } from '../db/row-types.ts'
import { openEngine } from '../engine/verbs.ts'
import { TuskError } from '../lib/errors.ts'
import type { HttpContext } from './http-context.ts'
import { chooseLogger } from './log.ts'
import type { HttpOptions } from './options.ts'

/** What routes stand on, and how it is given back. */
export function openHttpContext(
  options: HttpOptions,
  closing: AbortSignal,
): {
  readonly context: HttpContext
  close(): Promise<void>
} {
  const { tusk, readTimeoutMs = 5_000, readConnections = 4 } = options
  const config = configOf(tusk.pool)
  const reads = new pg.Pool({
    ...config,
    application_name: 'tusk http',
    max: readConnections,
    ...(readTimeoutMs === 0 ? {} : { statement_timeout: readTimeoutMs }),
  })
  // An idle connection that is lost is replaced when next needed; unheard, it would end the process.
  reads.on('error', () => {})
  const listener = new Listener({
    newClient: () => new pg.Client({ ...config, application_name: 'tusk http' }),
  })
  const context: HttpContext = {
    tusk,
    verbs: openEngine({ schema: tusk.schema }),
    reads: readingOurWay(reads),
    writes: readingOurWay(tusk.pool),
    listener,
    logger: chooseLogger(options.logger),
    basePath: requireBasePath(options.basePath ?? ''),
    allowsSql: options.sql ?? false,
    hasOpenMetrics: options.openMetrics ?? false,
    closing,
  }
  const close = async () => {
    await listener.close()
    await reads.end()
  }
  return { context, close }
}

/** A pool hides its password from being copied along. */
function configOf({ options }: pg.Pool): pg.ClientConfig {
  const { password } = options
  return password === undefined ? { ...options } : { ...options, password }
}

function requireBasePath(given: string): string {
  const path = given.replace(/\/+$/, '')
  if (path === '' || /^(\/[\w.~-]+)+$/.test(path)) return path
  throw new TuskError('invalid_argument', `${JSON.stringify(given)} is no base path`, {
    hint: 'Write it like /tusk.',
  })
}
