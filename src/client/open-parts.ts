import { Listener } from '../db/listen.ts'
import type { OnPoolOptions } from '../db/on-pool.ts'
import { isServerPool } from '../db/open-pool.ts'
import { withTypeParsers } from '../db/row-types.ts'
import { withCuttableClient } from '../db/with-cuttable-client.ts'
import { openEngine, type Verbs } from '../engine/verbs.ts'
import { requireOptions } from '../lib/require-known.ts'
import type { AnyTask } from '../tasks/define-task.ts'
import { defaultsOf, type RawTask } from '../tasks/enqueue-options.ts'
import { listTasks, type Tasks } from '../tasks/task-list.ts'
import { batchLimits } from './batcher.ts'
import { EnqueuePath } from './enqueue-path.ts'
import { type ClientDatabase, openDatabase } from './open-database.ts'
import { requireTimeout, type TuskOptions, tuskOptions, usualQueryTimeoutMs } from './options.ts'
import { openTracing } from './tracing.ts'
import { Waiting } from './waiting.ts'

/** The parts of a client. */
export interface ClientParts {
  readonly schema: string
  readonly database: ClientDatabase
  readonly verbs: Verbs
  readonly definitions: ReadonlyMap<string, AnyTask>
  /** The default options with which each declared task is enqueued. */
  readonly defaults: ReadonlyMap<string, RawTask>
  readonly path: EnqueuePath
  readonly listener: Listener
  readonly waiting: Waiting
  readonly limit: OnPoolOptions
}

/** Connects to the database and creates everything the client's methods need. */
export async function openParts<T extends Tasks>(options: TuskOptions<T>): Promise<ClientParts> {
  requireOptions('Tusk.open()', options as TuskOptions<Tasks>, tuskOptions)
  const { schema = 'tusk', listen = true, middleware } = options
  const verbs = openEngine({ schema })
  const tasks = listTasks(options.tasks ?? [])
  const definitions = new Map(tasks.map((task) => [task.name, task]))
  const defaults = new Map(tasks.map((task) => [task.name, defaultsOf(task)]))
  const limits = batchLimits(options)
  const queryTimeoutMs = requireTimeout(options.queryTimeoutMs ?? usualQueryTimeoutMs)
  const limit = { answerWithinMs: queryTimeoutMs }
  const traced = await openTracing()
  const database = await openDatabase(options.database, {
    schema,
    listenUrl: typeof listen === 'string' ? listen : undefined,
    stateDirectory: options.stateDirectory,
    migrate: options.migrate,
    queryTimeoutMs,
  })
  const { pool, newClient } = database
  const listener = new Listener({ newClient: () => newClient() })
  const waiting = new Waiting({
    watch: (id, time, cuts) =>
      withCuttableClient(pool, cuts, (client) =>
        verbs.watch(withTypeParsers(client, isServerPool(pool) ? 0 : queryTimeoutMs), id, time),
      ),
    listener,
    channel: `${schema}:finished`,
    isListening: listen !== false,
  })
  const path = new EnqueuePath({ pool, verbs, definitions, limits, limit, middleware, traced })
  return {
    schema,
    database,
    verbs,
    definitions,
    defaults,
    path,
    listener,
    waiting,
    limit,
  }
}
