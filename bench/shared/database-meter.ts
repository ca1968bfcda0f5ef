import type { Client } from 'pg'
import { processMicros } from '../measure/cpu.ts'

/** So short that the meter loses little time of a backend that ends in between. */
const sampleMs = 300

const backendsText = `
  select pid from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()
    and backend_type in ('client backend', 'parallel worker')`

const statementsText = `
  select coalesce(sum(calls), 0)::float8 as calls from public.pg_stat_statements
  where dbid = (select oid from pg_database where datname = current_database())`

/** Processor time of all backends of one database, except the admin's. This is the work that a subject causes. */
export class DatabaseMeter {
  readonly #admin: Client
  readonly #first = new Map<number, number>()
  readonly #last = new Map<number, number>()
  #timer: NodeJS.Timeout | undefined
  #sampling: Promise<void> = Promise.resolve()

  private constructor(admin: Client) {
    this.#admin = admin
  }

  static async start(admin: Client): Promise<DatabaseMeter> {
    const meter = new DatabaseMeter(admin)
    await meter.#sample(true)
    meter.#timer = setInterval(() => {
      meter.#sampling = meter.#sampling.then(() => meter.#sample(false)).catch(() => {})
    }, sampleMs)
    return meter
  }

  /** Microseconds since start(); a backend that started later counts from its start. */
  async stop(): Promise<number> {
    clearInterval(this.#timer)
    await this.#sampling
    await this.#sample(false)
    return [...this.#last].reduce(
      (sum, [pid, micros]) => sum + micros - (this.#first.get(pid) ?? 0),
      0,
    )
  }

  async #sample(isFirst: boolean): Promise<void> {
    const { rows } = await this.#admin.query<{ pid: number }>(backendsText)
    for (const { pid } of rows) {
      const micros = await processMicros(pid)
      if (micros === null) continue
      if (isFirst) this.#first.set(pid, micros)
      this.#last.set(pid, micros)
    }
  }
}

/** Applies to sessions of this database that begin from now on, so not to this one. */
export async function countStatements(admin: Client): Promise<void> {
  await admin.query('create extension if not exists pg_stat_statements schema public')
  await admin.query(`alter database ${admin.database} set pg_stat_statements.track = 'top'`)
}

export async function statementsSoFar(admin: Client): Promise<number> {
  const { rows } = await admin.query<{ calls: number }>(statementsText)
  return rows[0]?.calls ?? 0
}

export async function connectionsNow(admin: Client): Promise<number> {
  const { rows } = await admin.query(backendsText)
  return rows.length
}
