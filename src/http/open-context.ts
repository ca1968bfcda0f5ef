import pg from 'pg'
import { Listener } from '../db/listen.ts'
import { readingOurWay } from '../db/row-types.ts'
import { openEngine } from '../engine/verbs.ts'
import { TuskError } from '../lib/errors.ts'
import { ClaimTokens } from './gate/claim-tokens.ts'
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
  const { tusk, readTimeoutMs = 5_000, readConnections = 4, writeTimeoutMs = 30_000 } = options
  const config = configOf(tusk.pool)
  const reads = openPool({ ...config, max: readConnections }, readTimeoutMs)
  const writes = openPool(config, writeTimeoutMs)
  const listener = new Listener({
    newClient: () => new pg.Client({ ...config, application_name: 'tusk http' }),
  })
  const verbs = openEngine({ schema: tusk.schema })
  const context: HttpContext = {
    tusk,
    verbs,
    reads: readingOurWay(reads),
    writes: readingOurWay(writes),
    writeTimeoutMs,
    claims: new ClaimTokens(verbs, readingOurWay(writes)),
    listener,
    logger: chooseLogger(options.logger),
    basePath: requireBasePath(options.basePath ?? ''),
    allowsSql: options.sql ?? false,
    hasOpenMetrics: options.openMetrics ?? false,
    closing,
  }
  const close = async () => {
    await listener.close()
    await Promise.all([reads.end(), writes.end()])
  }
  return { context, close }
}

function openPool(config: pg.PoolConfig, timeoutMs: number): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    application_name: 'tusk http',
    ...(timeoutMs === 0 ? {} : { statement_timeout: timeoutMs }),
  })
  // An idle connection that is lost is replaced when next needed; unheard, it would end the process.
  pool.on('error', () => {})
  return pool
}

/** A pool hides its password from being copied along. */
function configOf({ options }: pg.Pool): pg.PoolConfig {
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
