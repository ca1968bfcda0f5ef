import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { Housekeeper } from '../../src/chores/housekeeper.ts'
import { resolveChoreSettings } from '../../src/chores/settings.ts'
import { openEngine } from '../../src/engine/verbs.ts'
import { Meter } from '../measure/meter.ts'
import type { Scenario, Stage } from './scenario.ts'

const leaseMs = 15_000
/** How long to wait until each follower looks at its final rate. */
const settleMs = 30_000

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

export const followers: Scenario = {
  name: 'followers',
  shows: 'what the chores of idle workers ask of the database; statements per second in all',
  mostRounds: 1,
  variants: [1, 10, 100].map((workers) => ({
    name: `${workers} ${workers === 1 ? 'worker' : 'workers'}`,
    suits: (subject) => subject.keepsGroups,
    round: (stage) => measure(stage, workers),
  })),
}

/** Runs only the chores of this many workers, over a few connections. */
async function measure(stage: Stage, workers: number) {
  const { admin, sizes, subject } = stage
  const { host, port, user, password, database } = admin
  const pool = new pg.Pool({ host, port, user, password, database, max: 8 })
  const counts = { looks: 0, statements: 0 }
  const keepers = await Promise.all(
    Array.from({ length: workers }, () => openKeeper(pool, subject.schema, counts)),
  )
  for (const keeper of keepers) keeper.start()
  await delay(sizes.seconds < 5 ? 100 : settleMs)
  await pool.query(`update ${subject.schema}.workers set beat_at = now() + interval '1 hour'`)
  const meter = await Meter.start(admin, {})
  const before = { ...counts }
  await delay(sizes.seconds * 1_000)
  const looks = counts.looks - before.looks
  const statements = counts.statements - before.statements
  const figures = await meter.stop(1)
  await Promise.all(keepers.map((keeper) => keeper.stop(1_000)))
  await pool.end()
  return {
    ...figures,
    more: { perSecond: statements / sizes.seconds, looksPerSecond: looks / sizes.seconds },
  }
}

async function openKeeper(
  pool: pg.Pool,
  schema: string,
  counts: { looks: number; statements: number },
): Promise<Housekeeper> {
  const verbs = openEngine({ schema })
  const id = randomUUID()
  await verbs.registerWorker(pool, {
    id,
    queues: [],
    slots: 1,
    host: 'bench',
    pid: 1,
    version: '1',
  })
  const settings = resolveChoreSettings({ environment: 'production' }, leaseMs)
  if (settings === null) throw new Error('chores are on')
  const counted = (client: pg.PoolClient) => ({
    query: <Row extends object>(text: string, values?: unknown[]) => {
      counts.statements += text.split(';').length
      return client.query<Row & pg.QueryResultRow>(text, values)
    },
  })
  const borrow = async <T>(work: (db: ReturnType<typeof counted>) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    try {
      return await work(counted(client))
    } finally {
      client.release()
    }
  }
  const tools = {
    verbs,
    worker: id,
    log: silent,
    graceMs: 1_000,
    lead: <T>(work: (db: ReturnType<typeof counted>) => Promise<T>) => {
      counts.looks += 1
      return borrow(work)
    },
    borrow: <T>(_: AbortSignal, work: (db: ReturnType<typeof counted>) => Promise<T>) =>
      borrow(work),
    share: <T>(_: AbortSignal, work: (db: ReturnType<typeof counted>) => Promise<T>) =>
      borrow(work),
    once: <T>(_: AbortSignal, work: (db: ReturnType<typeof counted>) => Promise<T>) => borrow(work),
    onceMs: 5_000,
    newClient: () => new pg.Client(),
  }
  return new Housekeeper({ tools, settings, schema, leaseMs, listener: undefined })
}
