import pg from 'pg'
import { Housekeeper } from '../chores/housekeeper.ts'
import { Listener } from '../db/listen.ts'
import { ServerClient } from '../db/server-client.js'
import { createMutex } from '../lib/mutex.ts'
import { ClaimLoop } from './claim/claim-loop.ts'
import { Claimer } from './claim/claimer.ts'
import { IdleWait } from './claim/idle-wait.ts'
import { QueueOrder } from './claim/queue-order.ts'
import { configAsData, connectionConfig } from './connections/connection-config.ts'
import { type Core, onceMs, openCore } from './core.ts'
import { beatTimes } from './leases/beat-times.ts'
import { Heartbeat, type HeartbeatOptions } from './leases/heartbeat.ts'
import { openPush, type PushPart } from './open-push.ts'
import { openSql, type SqlPart } from './open-sql.ts'
import type { OpenedOptions, Settings } from './options.ts'
import { Reporter } from './report/reporter.ts'
import { sendReport } from './report/reports.ts'
import { Buffer } from './run/buffer.ts'
import { Executor } from './run/executor.ts'
import { openTaskActions } from './run/task-actions.ts'
import { stopLostTasks } from './stop-tasks.ts'

export interface Parts extends Core {
  readonly reporter: Reporter
  readonly executor: Executor
  readonly claimLoop: ClaimLoop
  readonly heartbeat: Heartbeat
  readonly housekeeper: Housekeeper | undefined
  readonly listener: Listener | undefined
  /** Runs SQL tasks, in workers that do. */
  readonly sql: SqlPart | undefined
  /** Delivers tasks to endpoints, in workers that do. */
  readonly push: PushPart | undefined
}

/** As seldom as an idle worker polls: a ring that is lost with its connection waits for no longer than that. */
const listenerCheckMs = 30_000

/** Puts the parts of a worker together. Nothing runs yet, and nothing is connected. */
export function assemble(
  options: OpenedOptions,
  settings: Settings,
  onDraining: () => void,
): Parts {
  const core = openCore(options, settings)
  const { verbs, connections, log, news, heldTasks } = core
  const order = new QueueOrder(settings.shares, settings.order)
  const reporter = new Reporter({
    ...core,
    say: (report, on) => connections.on(on, (db) => sendReport(verbs, db, report)),
    keepLines: (lines) => connections.on('report', (db) => verbs.log(db, lines)),
  })
  const sql = openSql(core, options)
  const push = openPush(core, options)
  const executor = openExecutor(core, options, order, reporter, { sql, push })
  const listener = openListener(core, options)
  const idleWait = openIdleWait(core, listener)
  const housekeeper = openHousekeeper(core, listener)
  const heartbeat = openHeartbeat(core, options, listener, {
    onDraining,
    onRegistered: () => {
      idleWait.isRegistered = false
      void housekeeper?.register()
    },
  })
  const claimer = openClaimer(core, heartbeat)
  const holdsNothing = () => heldTasks.size === 0
  const claimLoop = new ClaimLoop({ claimer, order, executor, idleWait, log, news, holdsNothing })
  reporter.onHandedOn = () => claimLoop.ring()
  reporter.onReported = () => claimLoop.tellIdle()
  return {
    ...core,
    sql,
    push,
    reporter,
    executor,
    listener,
    heartbeat,
    claimLoop,
    housekeeper,
  }
}

function openExecutor(
  core: Core,
  options: OpenedOptions,
  order: QueueOrder,
  reporter: Reporter,
  { sql, push }: Pick<Parts, 'sql' | 'push'>,
): Executor {
  const { settings, heldTasks, news } = core
  const { concurrency, buffer: bufferSize, leaseMs, repertoire, graceMs } = settings
  return new Executor({
    concurrency,
    bufferSize,
    leaseMs,
    repertoire,
    heldTasks,
    news,
    reporter,
    sql: sql?.runner,
    push: push?.runner,
    buffer: new Buffer((queue) => order.rankOf(queue)),
    stage: {
      actions: openTaskActions({ ...core, leaseMs }),
      middleware: options.middleware,
      graceMs,
    },
  })
}

function openListener({ log }: Core, { database, listen }: OpenedOptions): Listener | undefined {
  if (listen === false) return undefined
  const target = typeof listen === 'string' || typeof listen === 'object' ? listen : database
  return new Listener({
    checkEveryMs: listenerCheckMs,
    newClient: () => new ServerClient({ ...connectionConfig(target), query_timeout: undefined }),
    onLost: (err) => log.warn({ err }, 'not listening any more; polling until it is back'),
  })
}

function openIdleWait({ settings, card, verbs, connections }: Core, listener?: Listener): IdleWait {
  return new IdleWait({
    sleep: (forMs) => connections.on('claim', (db) => verbs.sleep(db, card.id, card.queues, forMs)),
    nextDue: () => connections.on('claim', (db) => verbs.nextDue(db, card.queues)),
    wake: () => connections.on('claim', (db) => verbs.wake(db, card.id)),
    isListening: () => listener?.isListening ?? false,
    pollMs: settings.pollMs,
  })
}

function openHousekeeper(core: Core, listener?: Listener): Housekeeper | undefined {
  const { settings, connections, verbs, card, log, config } = core
  const { chores, schema, leaseMs, graceMs } = settings
  if (chores === null) return undefined
  const oneAtATime = createMutex()
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
      share: (signal, work) => connections.share(signal, work),
      once: (signal, work) => connections.once(signal, work),
      onceMs: onceMs(settings),
      newClient: (application_name) =>
        new ServerClient({ ...config(), query_timeout: 5_000, application_name }),
    },
  })
}

function openHeartbeat(
  core: Core,
  { listen = true }: OpenedOptions,
  listener: Listener | undefined,
  { onDraining, onRegistered }: Pick<HeartbeatOptions, 'onDraining' | 'onRegistered'>,
): Heartbeat {
  const { settings, card, heldTasks, log, config, news, connections } = core
  const { leaseMs, maxBlockMs, schema } = settings
  const answerWithinMs = Math.max(1_000, leaseMs / 3)
  return new Heartbeat({
    config: () => configAsData(config()),
    // Another login may listen than the one that works.
    share: (work) =>
      (listen === true ? listener?.share(work) : undefined) ??
      connections.share(AbortSignal.timeout(answerWithinMs), work),
    keepsConnection: typeof config().password === 'function',
    schema: pg.escapeIdentifier(schema),
    card,
    leaseMs,
    ...beatTimes(leaseMs),
    maxBlockMs,
    answerWithinMs,
    heldTasks,
    log,
    onLost: (lost) => stopLostTasks(heldTasks, lost, news),
    onDraining,
    onRegistered,
  })
}

function openClaimer(core: Core, heartbeat: Heartbeat): Claimer {
  const { settings, card, verbs, connections } = core
  const { repertoire, leaseMs } = settings
  const { kinds, handlers, versionsFrom, versionsTo } = repertoire
  const common = { worker: card.id, leaseMs, kinds, handlers, versionsFrom, versionsTo }
  return new Claimer(card.queues, async (on, limit, queues, more) => {
    const claim = { ...common, ...more, queues, limit }
    const rows = await connections.on(on, (db) => verbs.claimBatch(db, claim))
    heartbeat.claimed(rows)
    return rows
  })
}
