import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { inject } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { testRoles } from './engine.ts'
import { leadershipFaults } from './leadership-faults.ts'
import { test as base, startProcess, type WorkerProcess } from './processes.ts'
import { openTestEngine, type TestEngine } from './test-engine.ts'
import { until } from './until.ts'

const file = (name: string) => fileURLToPath(new URL(`../stories/${name}`, import.meta.url))

/** How a process takes part in a story. */
export interface Part {
  /** The way to the database; by default straight. */
  readonly url?: string
  /** What its chore `witness` does wrong; see leader-process.mjs. */
  readonly habit?: 'dwells' | 'deaf' | 'sleeps' | 'hangs' | 'blocks'
  /** How long a run of it may take. */
  readonly timeoutMs?: number
  /** Options of its chores; by default a short lease, and {} for the defaults. */
  readonly chores?: {
    readonly ttlMs?: number
    readonly renewMs?: number
    readonly rotateMs?: number
  }
  /** How wrong its clock is. */
  readonly clockShiftMs?: number
  /** One in five of its renewals fails. */
  readonly failsToRenew?: boolean
}

/** A process whose worker takes part in the chores. */
export interface LeaderProcess extends WorkerProcess {
  /** The worker's id. */
  readonly id: string
}

/** A schema of its own with a schedule that comes every second, and the processes on it. */
export interface Story {
  readonly engine: TestEngine
  /** Starts a process, and waits until its worker works and may be named as an heir. */
  join(part?: Part): Promise<LeaderProcess>
  /** Waits until another process than this one leads `witness`. */
  leader(but?: LeaderProcess): Promise<LeaderProcess>
  /** Waits until the process has committed what its chore `witness` writes. */
  hasWritten(process: LeaderProcess): Promise<void>
  /** The database's time. */
  now(): Promise<Date>
  /** What became of the seconds so far: some `fired`, perhaps some `skipped`. */
  outcomes(): Promise<string[]>
  /** How many seconds after that `witness` began to be led anew. */
  takenOverAfter(since: Date): Promise<number>
  /** Whatever speaks against one leader per term or against one record per second; none of it should. */
  faults(): Promise<string[]>
}

/** Long enough for a busy machine to renew in time, short enough to wait for. */
export const shortTimes = { ttlMs: 3_000, renewMs: 500 }

/** Like that of processes.ts, with a schema per test, so that stories can run beside each other. */
export const test = base.extend<{ story: Story }>({
  story: async ({ build }, use) => {
    const schema = `story_${randomBytes(8).toString('hex')}`
    const pool = new pg.Pool({
      connectionString: inject('pgUrl'),
      options: `-c search_path=${schema} -c client_min_messages=warning`,
      max: 2,
    })
    await migrate(pool, { schema, roles: testRoles })
    const engine = openTestEngine(pool, schema)
    await engine.rows(`
      create table witnessed (
        id bigint generated always as identity, term bigint, worker text, at timestamptz default clock_timestamp()
      )`)
    const begins = await engine.setSchedule('each_second', {
      task: { queue: 'ticks' },
      cron: '* * * * * *',
      // So that a takeover leaves some to be skipped: those must be accounted for as well.
      misfire_after: '2 seconds',
    })
    const processes: LeaderProcess[] = []
    await use({
      ...openStory(engine, processes),
      join: async (part = {}) => {
        const one = await start(build, schema, part)
        processes.push(one)
        await until(() => engine.value(`select chores <> '{}' from workers where id = $1`, one.id))
        return one
      },
      faults: () => leadershipFaults(engine, processes, begins),
    })
    for (const one of processes) one.send('SIGKILL')
    await Promise.all(processes.map(({ ended }) => ended))
    await endSessions(engine, schema)
    await pool.query(`drop schema ${schema} cascade`)
    await pool.end()
  },
})

function openStory(engine: TestEngine, processes: readonly LeaderProcess[]) {
  return {
    engine,
    now: () => engine.value<Date>('select clock_timestamp()'),
    leader: async (but?: LeaderProcess) => {
      let found: LeaderProcess | undefined
      await until(async () => {
        const id = await engine.value(`select worker from leader where chore = 'witness'`)
        found = processes.find((one) => one.id === id && one !== but)
        return found
      })
      return found as LeaderProcess
    },
    hasWritten: ({ id }: LeaderProcess) =>
      until(() => engine.value('select exists (select from witnessed where worker = $1)', id)),
    outcomes: async () => {
      const rows = await engine.rows<{ outcome: string }>(
        'select distinct outcome from occurrences order by 1',
      )
      return rows.map(({ outcome }) => outcome)
    },
    takenOverAfter: (since: Date) =>
      engine.value<number>(
        `select extract(epoch from min(acquired_at) - $1)::float8 from terms
         where chore = 'witness' and acquired_at > $1`,
        since,
      ),
  }
}

/** Those of dead processes may still be at work, and in the way. */
async function endSessions(engine: TestEngine, name: string): Promise<void> {
  await until(() =>
    engine.value(
      `select count(pg_terminate_backend(pid)) = 0 from pg_stat_activity where application_name = $1`,
      name,
    ),
  )
}

/** The URL with a name by which the sessions of a story are known. */
function named(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.set('application_name', name)
  return url.href
}

async function start(build: string, schema: string, part: Part): Promise<LeaderProcess> {
  const { url, habit, timeoutMs, chores, clockShiftMs, failsToRenew } = part
  const imports = [
    ...(clockShiftMs === undefined ? [] : ['shifted-clock.mjs']),
    ...(failsToRenew === true ? ['failing-renewals.mjs'] : []),
  ]
  const args = imports.flatMap((name) => ['--import', file(name)])
  const worker = startProcess([...args, file('leader-process.mjs')], {
    BUILD: build,
    DATABASE_URL: named(url ?? inject('pgUrl'), schema),
    OPTIONS: JSON.stringify({ schema, chores: chores ?? shortTimes, graceMs: 500 }),
    HABIT: habit ?? 'none',
    TIMEOUT_MS: String(timeoutMs ?? 60_000),
    CLOCK_SHIFT_MS: String(clockShiftMs ?? 0),
  })
  await worker.says('ready')
  const line = worker.lines.find((said) => said.includes('the worker has started')) ?? ''
  const { worker: id } = JSON.parse(line.slice(line.indexOf('{'))) as { worker: string }
  return Object.assign(worker, { id })
}
