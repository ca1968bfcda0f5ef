import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { ServerConfig } from '../db/server-client.js'
import { openEngine, type Verbs } from '../engine/verbs.ts'
import type { WorkerCard } from '../engine/working.ts'
import { ownVersion } from '../lib/version.ts'
import { Availability } from './availability.ts'
import { connectionConfig } from './connection-config.ts'
import { Connections } from './connections.ts'
import { Holdings } from './holdings.ts'
import { chooseLogger, type Logger } from './log.ts'
import { LogBook } from './log-book.ts'
import type { Settings, WorkerOptions } from './options.ts'
import { sessionSettings } from './session-settings.ts'

/** What all parts of a worker share. */
export interface Core {
  readonly settings: Settings
  readonly log: Logger
  /** Who it is; random per start, because host names and process ids repeat. */
  readonly card: WorkerCard
  readonly verbs: Verbs
  readonly config: () => ServerConfig
  readonly connections: Connections
  readonly holdings: Holdings
  readonly logBook: LogBook
}

/** At most so many handlers reach for the database at once; the others wait for a connection. */
const mostBorrowed = 10

export function openCore(options: WorkerOptions, settings: Settings): Core {
  const log = chooseLogger(options.logger)
  const config = () => ({
    ...connectionConfig(options.database),
    session: sessionSettings(settings),
  })
  const { schema, concurrency, shares, leaseMs } = settings
  return {
    settings,
    log,
    card: {
      id: randomUUID(),
      queues: shares.map(({ queue }) => queue),
      slots: concurrency,
      host: hostname(),
      pid: process.pid,
      version: ownVersion(),
    },
    verbs: openEngine({ schema }),
    config,
    connections: new Connections(
      config,
      new Availability(log),
      Math.min(concurrency, mostBorrowed),
    ),
    holdings: new Holdings(leaseMs),
    logBook: new LogBook(),
  }
}
