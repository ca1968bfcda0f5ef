import type pg from 'pg'
import { Listener } from '../db/listen.ts'
import { TimedPool } from '../db/timed-pool.ts'
import { openEngine } from '../engine/verbs.ts'
import { chooseLogger } from '../lib/choose-logger.ts'
import { toTimerMs } from '../lib/duration.ts'
import { TuskError } from '../lib/errors.ts'
import { SignedClaims } from './gate/signed-claims.ts'
import type { HttpContext } from './http-context.ts'
import type { HttpOptions } from './options.ts'

const applicationName = 'tusk http'

/** A new connection has to learn functions and plans anew, which takes longer than most answers. */
const keepIdleMs = 60_000

/** What routes stand on, and how it is given back. */
export function openHttpContext(
  options: HttpOptions,
  closing: AbortSignal,
): {
  readonly context: HttpContext
  close(): Promise<void>
} {
  const { tusk, readConnections = 4 } = options
  const readTimeoutMs = toTimerMs('readTimeoutMs', options.readTimeoutMs ?? 5_000)
  const writeTimeoutMs = toTimerMs('writeTimeoutMs', options.writeTimeoutMs ?? 30_000)
  const config = configOf(tusk.pool)
  const reads = new TimedPool(
    { ...config, max: readConnections, idleTimeoutMillis: keepIdleMs },
    readTimeoutMs,
  )
  const writes = new TimedPool(config, writeTimeoutMs)
  const listener = new Listener({ newClient: () => tusk.newClient(applicationName) })
  const verbs = openEngine({ schema: tusk.schema })
  const context: HttpContext = {
    tusk,
    verbs,
    reads,
    writes,
    writeTimeoutMs,
    claims: new SignedClaims(verbs, writes),
    listener,
    logger: chooseLogger('tusk http', options.logger),
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

/** A pool hides its password from being copied along. */
function configOf({ options }: pg.Pool): pg.PoolConfig {
  const { password } = options
  const config = { ...options, application_name: applicationName }
  return password === undefined ? config : { ...config, password }
}

function requireBasePath(given: string): string {
  const path = given.replace(/\/+$/, '')
  if (path === '' || /^(\/[\w.~-]+)+$/.test(path)) return path
  throw new TuskError('invalid_argument', `invalid base path ${JSON.stringify(given)}`, {
    hint: 'Write it like /tusk: it begins with a slash and ends without one.',
  })
}
