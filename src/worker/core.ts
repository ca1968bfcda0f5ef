import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { ServerConfig } from '../db/server-client.js'
import { openEngine, type Verbs } from '../engine/verbs.ts'
import type { WorkerCard } from '../engine/working.ts'
import { chooseLogger } from '../lib/choose-logger.ts'
import type { Logger } from '../lib/logger.ts'
import { ownVersion } from '../lib/version.ts'
import { Availability } from './connections/availability.ts'
import { connectionConfig } from './connections/connection-config.ts'
import { Connections } from './connections/connections.ts'
import { sessionSettings } from './connections/session-settings.ts'
import { WorkerEmitter } from './events/emitter.ts'
import { TaskNews } from './events/task-news.ts'
import { HeldTasks } from './leases/held-tasks.ts'
import type { OpenedOptions, Settings } from './options.ts'
import { LogBook } from './report/log-book.ts'

/** What all parts of a worker share. */
export interface Core {
  readonly settings: Settings
  readonly log: Logger
  readonly emitter: WorkerEmitter
  readonly news: TaskNews
  /** Who it is; random per start, because host names and process ids repeat. */
  readonly card: WorkerCard
  readonly verbs: Verbs
  readonly config: () => ServerConfig
  readonly connections: Connections
  readonly heldTasks: HeldTasks
  readonly logBook: LogBook
}

/** At most so many handlers reach for the database at once; the others wait for a connection. */
const mostBorrowed = 10

/** Between two renewals a leader can be sure of its right for longer than this. */
export function onceMs({ chores }: Settings): number {
  return (chores?.ttlMs ?? 10_000) / 2
}

export function openCore(options: OpenedOptions, settings: Settings): Core {
  const log = chooseLogger('tusk', options.logger)
  const config = () => ({
    ...connectionConfig(options.database),
    session: sessionSettings(settings),
  })
  const { schema, concurrency, shares, leaseMs, completedLevel, repertoire } = settings
  const emitter = new WorkerEmitter(log, options.listeners)
  return {
    settings,
    log,
    emitter,
    news: new TaskNews({ log, emitter, completedLevel }),
    card: {
      id: randomUUID(),
      queues: shares.map(({ queue }) => queue),
      slots: concurrency,
      host: hostname(),
      pid: process.pid,
      version: ownVersion(),
      kinds: repertoire.kinds,
      handlers: repertoire.handlers,
      versionsFrom: repertoire.versionsFrom,
      versionsTo: repertoire.versionsTo,
    },
    verbs: openEngine({ schema }),
    config,
    connections: new Connections(config, new Availability(log), {
      mostBorrowed: Math.min(concurrency, mostBorrowed),
      onceMs: onceMs(settings),
    }),
    heldTasks: new HeldTasks(leaseMs),
    logBook: new LogBook(),
  }
}
