import { readFile } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, escapeIdentifier } from 'pg'
import { startWorker, type Worker } from '../../src/worker/worker.ts'
import { Meter } from '../measure/meter.ts'
import type { Scenario, Stage } from './scenario.ts'

const patienceMs = 120_000
/** Each SQL task has one or two round trips of its own, so fewer tasks are enough than with handlers. */
export const share = 10
const mostPickups = 200

export const sqlDrain: Scenario = {
  name: 'sql-drain',
  shows:
    'SQL tasks on two sessions of one worker; pickup: from the call of sql() to the start of the run, milliseconds',
  variants: [
    drainOf('SELECT 1', 'select 1'),
    drainOf('an INSERT', 'insert into sql_drain values (1)'),
    {
      name: 'pickup',
      suits: (subject) => subject.keepsGroups,
      async round(stage) {
        const db = await stage.connections.get('enqueue')
        const schema = escapeIdentifier(stage.subject.schema)
        const worker = await startSqlWorker(stage)
        await delay(500)
        const count = Math.min(stage.sizes.singles, mostPickups)
        const meter = await Meter.start(stage.admin, { enqueue: [db] })
        for (let n = 0; n < count; n++) {
          await db.query(`select ${schema}.sql('select clock_timestamp()')`)
          await delay(20 + Math.random() * 20)
        }
        await drained(stage)
        const figures = await meter.stop(count)
        const { rows } = await db.query<{ ms: number }>(
          `select extract(epoch from (output #>> '{results,0,rows,0,0}')::timestamptz - created_at) * 1000 as ms
           from ${schema}.finished where kind = 'sql' order by finished_at desc limit $1`,
          [count],
        )
        await worker.stop()
        const latencies = rows.map(({ ms }) => Number(ms)).sort((one, other) => one - other)
        const at = (part: number) => latencies[Math.floor((latencies.length - 1) * part)] ?? 0
        return { ...figures, more: { p50: at(0.5), p90: at(0.9), p99: at(0.99) } }
      },
    },
  ],
}

function drainOf(name: string, sql: string): Scenario['variants'][number] {
  return {
    name,
    suits: (subject) => subject.keepsGroups,
    async prepare({ admin }) {
      await admin.query('create table if not exists public.sql_drain (n integer)')
    },
    async round(stage) {
      const { sizes, admin, connections, subject } = stage
      const count = Math.ceil(sizes.tasks / share)
      const db = await connections.get('watch')
      await db.query(
        `select count(${escapeIdentifier(subject.schema)}.sql($1)) from generate_series(1, $2::integer)`,
        [sql, count],
      )
      const meter = await Meter.start(admin, { watch: [db] })
      const worker = await startSqlWorker(stage)
      await drained(stage)
      const figures = await meter.stop(count)
      await worker.stop()
      return figures
    },
  }
}

export function startSqlWorker(
  { subject, admin }: Stage,
  queues: readonly string[] = ['sql'],
): Promise<Worker> {
  const { host, port, user, password, database } = admin
  return startWorker({
    database: { host, port, user: user ?? '', password: password ?? '', database: database ?? '' },
    schema: subject.schema,
    sql: true,
    queues,
    concurrency: 2,
    signals: false,
    logger: false,
  })
}

export async function drained({ connections, subject }: Stage): Promise<void> {
  const db = await connections.get('watch')
  const giveUpAt = performance.now() + patienceMs
  const text = `select exists (select from ${escapeIdentifier(subject.schema)}.tasks) as left`
  while ((await db.query<{ left: boolean }>(text)).rows[0]?.left) {
    if (performance.now() > giveUpAt) throw new Error('the worker does not finish')
    await delay(5)
  }
}

/** Processor time of the backends of this database that started since, in microseconds: those of a worker. */
export async function spentSince(db: Client, since: Date): Promise<number> {
  const { rows } = await db.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and backend_start >= $1`,
    [since],
  )
  const times = await Promise.all(
    rows.map(async ({ pid }) => {
      const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '')
      return Number(text.split(' ')[0]) / 1_000
    }),
  )
  return times.reduce((sum, time) => sum + time, 0)
}
