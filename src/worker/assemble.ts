import pg from 'pg'
import { Housekeeper } from '../chores/housekeeper.ts'
import { Listener } from '../db/listen.ts'
import { ServerClient } from '../db/server-client.js'
import { inTurn } from '../lib/in-turn.ts'
import { beatTimes } from './beat-times.ts'
import { Buffer } from './buffer.ts'
import { ClaimLoop } from './claim-loop.ts'
import { Claimer } from './claimer.ts'
import { configAsData, connectionConfig } from './connection-config.ts'
import { type Core, openCore } from './core.ts'
import { openErrands } from './errands.ts'
import { Executor } from './executor.ts'
import { Heartbeat } from './heartbeat.ts'
import { loseAll } from './losing.ts'
import { openSql, type SqlPart } from './open-sql.ts'
import type { Settings, WorkerOptions } from './options.ts'
import { QueueOrder } from './queue-order.ts'
import { Reporter } from './reporter.ts'
import { sayReport } from './reports.ts'
import { Rest } from './rest.ts'

export interface Parts extends Core {
  readonly reporter: Reporter
  readonly executor: Executor
  readonly claimLoop: ClaimLoop
  readonly heartbeat: Heartbeat
  readonly housekeeper: Housekeeper | undefined
  readonly listener: Listener | undefined
  /** Runs SQL tasks, in workers that do. */
  readonly sql: SqlPart | undefined
}

/** Puts the parts of a worker together. Nothing runs yet, and nothing is connected. */
export function assemble(
  options: WorkerOptions,
  settings: Settings,
  onDraining: () => void,
): Parts {
  const core = openCore(options, settings)
  const { verbs, connections, log } = core
  const order = new QueueOrder(settings.shares, settings.order)
  const reporter = new Reporter({
    ...core,
    say: (report, on) => connections.on(on, (db) => sayReport(verbs, db, report)),
    keepLines: (lines) => connections.on('report', (db) => verbs.log(db, lines)),
  })
  const sql = openSql(core, options)
  const executor = openExecutor(core, options, order, reporter, sql)
  const listener = openListener(core, options)
  const rest = openRest(core, listener)
  const housekeeper = openHousekeeper(core, listener)
  const heartbeat = openHeartbeat(core, onDraining, () => {
    rest.isRegistered = false
    void housekeeper?.register()
  })
  const claimers = openClaimers(core, heartbeat)
  return {
    ...core,
    sql,
    reporter,
    executor,
    listener,
    heartbeat,
    claimLoop: new ClaimLoop({ claimers, order, executor, rest, log }),
    housekeeper,
  }
}

function openExecutor(
  core: Core,
  options: WorkerOptions,
  order: QueueOrder,
  reporter: Reporter,
  sql: SqlPart | undefined,
): Executor {
  const { settings, holdings } = core
  const { concurrency, buffer: bufferSize, leaseMs, repertoire, graceMs } = settings
  return new Executor({
    concurrency,
    bufferSize,
    leaseMs,
    repertoire,
    holdings,
    reporter,
    sql: sql?.runner,
    buffer: new Buffer((queue) => order.rankOf(queue)),
    stage: { errands: openErrands({ ...core, leaseMs }), middleware: options.middleware, graceMs },
  })
}

function openListener({ log }: Core, { database, listen }: WorkerOptions): Listener | undefined {
  if (listen === false) return undefined
  const target = typeof listen === 'string' || typeof listen === 'object' ? listen : database
  return new Listener({
    newClient: () => new ServerClient({ ...connectionConfig(target), query_timeout: undefined }),
    onLost: (err) => log.warn({ err }, 'not listening any more; polling until it is back'),
  })
}

function openRest({ settings, card, verbs, connections }: Core, listener?: Listener): Rest {
  return new Rest({
    sleep: (forMs) => connections.on('claim', (db) => verbs.sleep(db, card.id, card.queues, forMs)),
    wake: () => connections.on('claim', (db) => verbs.wake(db, card.id)),
    isListening: () => listener?.isListening ?? false,
    pollMs: settings.pollMs,
  })
}

function openHousekeeper(core: Core, listener?: Listener): Housekeeper | undefined {
  const { settings, connections, verbs, card, log, config } = core
  const { chores, schema, leaseMs, graceMs } = settings
  if (chores === null) return undefined
  const oneAtATime = inTurn()
  return new Housekeeper({
    settings: chores,
    schema,
    leaseMs,
    listener,
    tools: {
      verbs,
      worker: card.id,
      log,
      graceMs,
      lead: (work) => oneAtATime(() => connections.on('lead', work)),
      borrow: (signal, work) => connections.lend(signal, work),
      newClient: (application_name) =>
        new ServerClient({ ...config(), query_timeout: 5_000, application_name }),
    },
  })
}

function openHeartbeat(core: Core, onDraining: () => void, onRegistered: () => void): Heartbeat {
  const { settings, card, holdings, log, config } = core
  const { leaseMs, maxBlockMs, schema } = settings
  return new Heartbeat({
    config: () => configAsData(config()),
    schema: pg.escapeIdentifier(schema),
    card,
    leaseMs,
    ...beatTimes(leaseMs),
    maxBlockMs,
    answerWithinMs: Math.max(1_000, leaseMs / 3),
    holdings,
    log,
    onLost: (lost) => loseAll(holdings, lost),
    onDraining,
    onRegistered,
  })
}

function openClaimers(core: Core, heartbeat: Heartbeat): Map<string, Claimer> {
  const { settings, card, verbs, connections } = core
  const { repertoire, leaseMs } = settings
  const { kinds, handlers, versionsFrom, versionsTo } = repertoire
  const common = { worker: card.id, leaseMs, kinds, handlers, versionsFrom, versionsTo }
  const open = (queue: string) =>
    new Claimer(async (on, limit, hints) => {
      const claim = { ...common, queue, limit, hints }
      const rows = await connections.on(on, (db) => verbs.claimBatch(db, claim))
      const [first] = rows
      if (first !== undefined)
        heartbeat.claimed(
          first.claim,
          rows.map(({ id }) => id),
        )
      return rows
    })
  return new Map(card.queues.map((queue) => [queue, open(queue)]))
}
