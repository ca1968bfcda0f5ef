import { setTimeout as pause } from 'node:timers/promises'
import type { Queryable } from '../db/queryable.ts'
import { call } from '../engine/call.ts'
import { TuskError } from '../lib/errors.ts'
import type { Parts } from './assemble.ts'
import type { Repertoire } from './run/repertoire.ts'

/** Makes the worker known, and learns what only the database can tell. */
export async function registerWorker(parts: Parts): Promise<void> {
  const { connections, verbs, card, settings } = parts
  await connections.on('claim', async (db) => {
    await learnTimeouts(db, settings.repertoire)
    await applySchedules(db, parts)
    await verbs.registerWorker(db, card)
  })
}

/** Every worker of a fleet does so when it starts; the first one makes them, the others find them so. */
async function applySchedules(db: Queryable, { verbs, settings, log }: Parts): Promise<void> {
  if (settings.schedules === undefined) return
  try {
    const applied = await verbs.applySchedules(db, await settings.schedules(), false, true)
    const over = applied.filter(({ outcome }) => outcome === 'over').map(({ name }) => name)
    if (over.length > 0)
      log.warn(
        { schedules: over },
        'schedules have no time left to come; nothing of them will fire',
      )
    const changed = applied.filter(({ outcome }) => outcome === 'created' || outcome === 'changed')
    if (changed.length > 0) log.info({ schedules: changed }, 'the worker has set schedules')
  } catch (error) {
    throw isDenied(error) ? mayNotSchedule(error) : error
  }
}

function isDenied(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42501'
}

function mayNotSchedule(cause: unknown): TuskError {
  return new TuskError('invalid_argument', 'the role of this worker may not set schedules', {
    hint: 'Connect with a role that has the operator role, or set them with: tusk schedule apply',
    cause,
  })
}

/** Only Postgres reads '1 day 02:30' as Postgres does. */
async function learnTimeouts(db: Queryable, repertoire: Repertoire): Promise<void> {
  const timeouts = repertoire.textTimeouts
  if (timeouts.length === 0) return
  const text = `select (extract(epoch from given::interval) * 1000)::float8 as ms
                from unnest($1::text[]) with ordinality as each (given, place) order by place`
  const rows = await call<{ ms: number }>(db, text, [timeouts.map(([, timeout]) => timeout)])
  repertoire.learnTimeouts(rows.map(({ ms }, at) => [timeouts[at]?.[0] ?? '', ms] as const))
}

/** Each ready task of a queue may ring: a worker that finds nothing heeds far fewer (see IdleWait). */
const mostRingsPerSecond = 1_000

/** A worker that cannot listen starts all the same, and polls. */
const listenWithinMs = 1_000

/**
 * Hears of tasks to claim, of tasks taken away, of limits that were lowered, and that the worker is to
 * drain. Any login can say such things: they are hints, and the database is asked.
 */
export async function listenForMessages(parts: Parts): Promise<void> {
  const { listener, claimLoop, executor, heldTasks, heartbeat, card, settings } = parts
  if (listener === undefined) return
  const queues = new Set(card.queues)
  const hear = (channel: string, onMessage: (payload: string) => void, mostPerSecond?: number) =>
    new Promise<void>((onListening) => {
      listener.hear(`${settings.schema}:${channel}`, {
        onMessage,
        ...(mostPerSecond === undefined ? {} : { mostPerSecond }),
        onListening: () => {
          // What became ready before we listened did not ring.
          claimLoop.ring()
          onListening()
        },
      })
    })
  const listening = Promise.all([
    hear('ready', (queue) => queues.has(queue) && claimLoop.ring(), mostRingsPerSecond),
    hear('cancel', (gone) => {
      const [id = '', claim = ''] = gone.split(' ', 2)
      if (heldTasks.suspect(id, claim)) heartbeat.soon()
    }),
    hear('limits', (limited) => executor.giveBack(limited)),
    hear('drain', (worker) => worker === card.id && heartbeat.soon()),
  ])
  await Promise.race([listening, pause(listenWithinMs, undefined, { ref: false })])
}

/** Leaves the registry, if there is a database to hear it. */
export async function unregisterWorker(parts: Parts, withinMs: number): Promise<void> {
  const { connections, verbs, card, log } = parts
  const goodbye = connections
    .on('claim', (db) => verbs.forgetWorkers(db, [card.id]))
    .catch((err: unknown) => log.warn({ err }, 'cannot unregister the worker'))
  await Promise.race([goodbye, pause(withinMs, undefined, { ref: false })])
}
