import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { Meter } from '../measure/meter.ts'
import type { Scenario, Stage } from './scenario.ts'
import { startBenchWorker } from './worker-drain.ts'

/** How long to wait until all workers have backed off and know how many they are, so that they take turns. */
const settleMs = (workers: number) => Math.max(60_000, workers * 2_500)

/** The purpose of a statement, by words in its text. The first match counts. */
const purposes = {
  heartbeats: 'heartbeat|register_worker',
  reports: 'complete_many|fail_many',
  polls: 'claim|\\.sleep\\(|next_due|\\.wake\\(',
  leading: 'lead_chores|release_chores|register_chores|report_chores',
  chores: 'run_chore|fence|worn_tables|begin|commit|rollback',
}

export const idle: Scenario = {
  name: 'idle',
  shows: 'what workers with nothing to do ask of the database; statements per second, by purpose',
  mostRounds: 1,
  variants: [1, 10, 100].map((workers) => ({
    name: workers === 1 ? 'one worker' : `${workers} workers`,
    suits: (subject) => subject.keepsGroups,
    round: (stage) => measure(stage, workers),
  })),
}

/** Complete workers in one process, each with its own connections and its own thread. */
async function measure(stage: Stage, workers: number) {
  const { admin, sizes } = stage
  const isRehearsal = sizes.seconds < 5
  await countStatements(admin, 'top')
  const started = await Promise.all(
    Array.from({ length: isRehearsal ? 1 : workers }, () => startBenchWorker(stage, () => null)),
  )
  await delay(isRehearsal ? 100 : settleMs(workers))
  const meter = await Meter.start(admin, {})
  await admin.query('select public.pg_stat_statements_reset()')
  const before = await transactions(admin)
  await delay(sizes.seconds * 1_000)
  const asked = await statements(admin)
  const open = await connections(admin)
  asked.push(['transactions', (await transactions(admin)) - before])
  const figures = await meter.stop(1)
  await countStatements(admin, 'none')
  await Promise.all(started.map((worker) => worker.stop()))
  const perSecond = asked.map(([purpose, calls]) => [purpose, calls / sizes.seconds] as const)
  return { ...figures, more: { ...Object.fromEntries(perSecond), connections: open } }
}

/** Applies to sessions that begin from now on, so not to this one. */
export async function countStatements(db: Client, which: 'top' | 'none'): Promise<void> {
  await db.query('create extension if not exists pg_stat_statements schema public')
  await db.query(`alter database ${db.database} set pg_stat_statements.track = '${which}'`)
}

/** Statements of the whole database, including the few of the measurement itself. */
async function transactions(db: Client): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select (xact_commit + xact_rollback)::float8 as n from pg_stat_database where datname = current_database()`,
  )
  return rows[0]?.n ?? 0
}

/** The connections that the workers keep open. */
async function connections(db: Client): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::float8 as n from pg_stat_activity where application_name = 'tusk worker'`,
  )
  return rows[0]?.n ?? 0
}

/** How many statements there were of each purpose, and in total. */
export async function statements(db: Client): Promise<[string, number][]> {
  const { rows } = await db.query<{ query: string; calls: number }>(
    `select query, sum(calls)::float8 as calls from public.pg_stat_statements
     where dbid = (select oid from pg_database where datname = current_database()) group by 1`,
  )
  const counts = new Map([...Object.keys(purposes), 'other'].map((purpose) => [purpose, 0]))
  for (const { query, calls } of rows) {
    const fits = Object.entries(purposes).find(([, words]) => new RegExp(words, 'i').test(query))
    const purpose = fits?.[0] ?? 'other'
    counts.set(purpose, (counts.get(purpose) ?? 0) + calls)
  }
  const all = [...counts.values()].reduce((sum, calls) => sum + calls, 0)
  return [['all', all], ...counts]
}
