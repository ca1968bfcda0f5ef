import { performance } from 'node:perf_hooks'
import type { Client } from 'pg'
import { backendClock, type CpuClock } from './cpu.ts'
import type { Figures } from './figures.ts'
import { type Relations, readRelations } from './relations.ts'

/** The connections whose work is counted, by the name under which their time is shown. */
export type Measured = Readonly<Record<string, readonly Client[]>>

interface Reading {
  readonly at: number
  readonly node: number
  readonly backends: Readonly<Record<string, number | null>>
}

/** Counts time, processor, WAL and row versions from start() to stop(). */
export class Meter {
  readonly #admin: Client
  readonly #writers: readonly Client[]
  readonly #clocks: readonly (readonly [string, readonly CpuClock[]])[]
  readonly #relations: Relations
  readonly #lsn: string
  #start: Reading = { at: 0, node: 0, backends: {} }

  private constructor(
    admin: Client,
    measured: Measured,
    clocks: readonly (readonly [string, readonly CpuClock[]])[],
    relations: Relations,
    lsn: string,
  ) {
    this.#admin = admin
    this.#writers = Object.values(measured).flat()
    this.#clocks = clocks
    this.#relations = relations
    this.#lsn = lsn
  }

  static async start(admin: Client, measured: Measured): Promise<Meter> {
    const clocks = await Promise.all(
      Object.entries(measured).map(
        async ([name, clients]) => [name, await Promise.all(clients.map(backendClock))] as const,
      ),
    )
    const relations = await readRelations(admin, Object.values(measured).flat())
    const meter = new Meter(admin, measured, clocks, relations, await walPosition(admin))
    meter.#start = await meter.#read()
    return meter
  }

  async stop(tasks: number): Promise<Figures> {
    const end = await this.#read()
    const wal = await walSince(this.#admin, this.#lsn)
    const relations = await readRelations(this.#admin, this.#writers)
    const seconds = (end.at - this.#start.at) / 1_000
    const backends = difference(end.backends, this.#start.backends, tasks)
    const updates = relations.updates - this.#relations.updates
    return {
      tasks,
      seconds,
      perSecond: tasks / seconds,
      databaseMicros: total(Object.values(backends)),
      databaseMicrosBy: backends,
      nodeMicros: (end.node - this.#start.node) / tasks,
      walBytes: wal / tasks,
      deadMade: (relations.tupleWrites - this.#relations.tupleWrites) / tasks,
      deadLeft: relations.deadLeft,
      hotShare: updates > 0 ? (relations.hotUpdates - this.#relations.hotUpdates) / updates : null,
      tableBytes: relations.tableBytes,
      indexBytes: relations.indexBytes,
      more: {},
    }
  }

  async #read(): Promise<Reading> {
    const at = performance.now()
    const { user, system } = process.cpuUsage()
    const backends = await Promise.all(
      this.#clocks.map(async ([name, clocks]) => {
        const micros = await Promise.all(clocks.map((clock) => clock()))
        return [name, total(micros)] as const
      }),
    )
    return { at, node: user + system, backends: Object.fromEntries(backends) }
  }
}

export async function walPosition(db: Client): Promise<string> {
  const { rows } = await db.query<{ lsn: string }>('select pg_current_wal_insert_lsn() as lsn')
  return rows[0]?.lsn ?? '0/0'
}

export async function walSince(db: Client, lsn: string): Promise<number> {
  const text = 'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1)::float8 as bytes'
  const { rows } = await db.query<{ bytes: number }>(text, [lsn])
  return rows[0]?.bytes ?? 0
}

function difference(
  end: Reading['backends'],
  start: Reading['backends'],
  tasks: number,
): Record<string, number | null> {
  return Object.fromEntries(
    Object.entries(end).map(([name, micros]) => {
      const before = start[name] ?? null
      return [name, micros === null || before === null ? null : (micros - before) / tasks]
    }),
  )
}

/** Unknown if one part is unknown. */
function total(parts: readonly (number | null)[]): number | null {
  return parts.reduce((sum, part) => (sum === null || part === null ? null : sum + part), 0)
}
