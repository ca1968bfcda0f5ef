import type { Queryable } from '../db/queryable.ts'
import { asNumbers } from './as-numbers.ts'
import { call, callOne, done } from './call.ts'
import type { Json } from './task.ts'

/** How the worker that does a chore is chosen. */
export type StrategyKind = 'all' | 'skip-locked' | 'advisory' | 'lease'

/** Why a leader ended its own leadership. */
export type EndOfTerm = 'shutdown' | 'rotation' | 'resign' | 'error'

/** What a worker reports about a chore. `everyMs` is the longest pause between two runs. */
export interface ChoreCard {
  readonly name: string
  readonly strategy: StrategyKind
  readonly everyMs: number
  readonly timeoutMs: number
  readonly ttlMs: number
}

/** A chore, and the term in which the worker leads it. Null: it is a candidate. */
export interface ChoreTerm {
  readonly chore: string
  readonly term: bigint | null
}

/** What lead_chores() returns for one chore. */
export interface Lead {
  readonly chore: string
  /** The term in which the worker leads it, or null. */
  readonly term: bigint | null
  readonly expires_in_ms: number | null
  /** An operator asked the leader to resign. */
  readonly resign: boolean
  /** When the chore may become free for this worker. */
  readonly free_in_ms: number
  /** Its rank among the candidates, from 0. */
  readonly place: number
  readonly candidates: number
}

/** The runs of a chore since the last report. */
export interface RunsReport {
  readonly chore: string
  readonly runs: number
  readonly processed: number
  readonly errors: number
  readonly ago_ms: number
  readonly ok_ago_ms?: number
  readonly error_ago_ms?: number
  readonly error?: Json
  readonly last_ms: number
  readonly total_ms: number
  readonly max_ms: number
}

/** What a round of a built-in chore returns. */
export interface ChoreRound {
  readonly processed: number
  readonly next_in_ms: number | null
}

/** A row of the view `leader`: which worker does a chore now. */
export interface Leader {
  readonly chore: string
  readonly strategy: StrategyKind
  readonly worker: string
  readonly host: string | null
  readonly pid: number | null
  readonly backend: number | null
  readonly term: string | null
  readonly acquired_at: Date | null
  readonly renewed_at: Date | null
  readonly expires_at: Date | null
}

/** A row of the view `chore_stats`: how a chore is doing, and what is wrong with it. */
export interface ChoreStats {
  readonly chore: string
  readonly strategy: StrategyKind
  /** The longest pause between two runs, and the longest time that one run may take. */
  readonly every: string
  readonly timeout: string
  readonly is_led: boolean
  readonly last_run_at: Date | null
  readonly last_ok_at: Date | null
  readonly runs: number
  readonly processed: number
  readonly errors: number
  readonly last_error_at: Date | null
  readonly last_error: Json
  readonly average_ms: number | null
  readonly longest_ms: number | null
  readonly alert: string | null
}

/**
 * Timeouts of a transaction that may last this many milliseconds. If the leader cannot be reached, its last statement
 * may still complete, and the idle timeout starts only afterwards. So the idle timeout is the shorter one.
 */
const limitsOfRun = `
  set_config('statement_timeout', $1::text, true),
  set_config('idle_in_transaction_session_timeout', greatest($1::integer / 2, 1)::text, true)`

const leaderColumns =
  'chore, strategy, worker, host, pid, backend, term, acquired_at, renewed_at, expires_at'

/** Intervals as text, whatever style the connection has set for them. */
const choreColumns = `
  chore, strategy, every::text, timeout::text, is_led, last_run_at, last_ok_at,
  ${asNumbers('runs', 'processed', 'errors')}, last_error_at, last_error, average_ms, longest_ms, alert`

/** Manages which worker does which chore. */
export function leading(schema: string) {
  return {
    ...campaigning(schema),
    ...locking(schema),
    ...running(schema),
    resign: async (db: Queryable, chore: string): Promise<string | null> =>
      (
        await callOne<{ worker: string | null }>(db, `select ${schema}.resign($1) as worker`, [
          chore,
        ])
      ).worker,
    wornTables: async (db: Queryable): Promise<string[]> =>
      (
        await call<{ name: string }>(
          db,
          `select worn_tables as name from ${schema}.worn_tables()`,
          [],
        )
      ).map(({ name }) => name),
    leaders: (db: Queryable) =>
      call<Leader>(db, `select ${leaderColumns} from ${schema}.leader order by chore, worker`, []),
    choreStats: (db: Queryable) =>
      call<ChoreStats>(db, `select ${choreColumns} from ${schema}.chore_stats order by chore`, []),
  }
}

function running(schema: string) {
  return {
    fence: (db: Queryable, chore: string, worker: string, term: bigint) =>
      done(call(db, `select ${schema}.fence($1, $2, $3)`, [chore, worker, String(term)])),
    /**
     * Makes Postgres end the transaction of a run in time. With a term, the transaction continues only if that leader
     * still leads.
     */
    limitRun: (
      db: Queryable,
      withinMs: number,
      { chore, worker, term }: ChoreTerm & { readonly worker: string },
    ) => {
      const ms = String(Math.max(Math.trunc(withinMs), 1))
      return done(
        term === null
          ? call(db, `select ${limitsOfRun}`, [ms])
          : call(db, `select ${limitsOfRun}, ${schema}.fence($2, $3, $4)`, [
              ms,
              chore,
              worker,
              String(term),
            ]),
      )
    },
    runChore: (
      db: Queryable,
      chore: string,
      { worker = null, term = null, limit = null }: RunChoreOptions = {},
    ) =>
      callOne<ChoreRound>(
        db,
        `select processed::float8 as processed, next_in_ms from ${schema}.run_chore($1, $2, $3, $4)`,
        [chore, worker, term === null ? null : String(term), limit],
      ),
    /** Both rounds with one statement; the leader of `expire` does them. */
    expireAndRescue: async (
      db: Queryable,
      { worker = null, term = null, limit = null }: RunChoreOptions = {},
    ): Promise<{ readonly expired: ChoreRound; readonly rescued: ChoreRound }> => {
      const values = [worker, term === null ? null : String(term), limit]
      const round = await callOne<ExpiredAndRescued>(db, expireAndRescueText(schema), values)
      return {
        expired: { processed: round.expired, next_in_ms: round.next_expiry_ms },
        rescued: { processed: round.rescued, next_in_ms: round.next_rescue_ms },
      }
    },
  }
}

interface ExpiredAndRescued {
  readonly expired: number
  readonly next_expiry_ms: number | null
  readonly rescued: number
  readonly next_rescue_ms: number | null
}

/** The limit of the second depends on the first, so that the leader is asked for its term before anything is rescued. */
const expireAndRescueText = (schema: string) => `
  select expire.processed::float8 as expired, expire.next_in_ms as next_expiry_ms,
         rescue.processed::float8 as rescued, rescue.next_in_ms as next_rescue_ms
  from ${schema}.run_chore('expire', $1::text, $2::bigint, $3::integer) as expire
  cross join lateral ${schema}.run_chore(
    'rescue', null, null, case when expire.processed is not null then $3::integer end) as rescue`

export interface RunChoreOptions {
  readonly worker?: string | null
  readonly term?: bigint | null
  readonly limit?: number | null
}

function campaigning(schema: string) {
  return {
    registerChores: (db: Queryable, worker: string, cards: readonly ChoreCard[], leads: boolean) =>
      done(
        call(db, `select ${schema}.register_chores($1, $2, $3)`, [
          worker,
          JSON.stringify(cards.map(cardAsJson)),
          leads,
        ]),
      ),
    leadChores: async (
      db: Queryable,
      worker: string,
      chores: readonly ChoreTerm[],
      runs: readonly RunsReport[] = [],
    ): Promise<Lead[]> => {
      const text = `select * from ${schema}.lead_chores($1, $2, $3, $4)`
      const rows = await call<Omit<Lead, 'term'> & { term: string | null }>(db, text, [
        worker,
        ...asArrays(chores),
        runs.length === 0 ? null : JSON.stringify(runs),
      ])
      return rows.map((row) => ({ ...row, term: row.term === null ? null : BigInt(row.term) }))
    },
    releaseChores: async (
      db: Queryable,
      worker: string,
      chores: readonly ChoreTerm[],
      how: EndOfTerm,
    ): Promise<string[]> => {
      const text = `select release_chores as chore from ${schema}.release_chores($1, $2, $3, $4)`
      const rows = await call<{ chore: string }>(db, text, [worker, ...asArrays(chores), how])
      return rows.map(({ chore }) => chore)
    },
    /** Returns how many workers there are. */
    reportChores: async (db: Queryable, worker: string, runs: readonly RunsReport[]) =>
      (
        await callOne<{ workers: number }>(
          db,
          `select ${schema}.report_chores($1, $2) as workers`,
          [worker, JSON.stringify(runs)],
        )
      ).workers,
  }
}

function locking(schema: string) {
  return {
    lockChore: async (db: Queryable, worker: string, chore: string) => {
      const text = `select * from ${schema}.lock_chore($1, $2)`
      const { term, resign } = await callOne<{ term: string | null; resign: boolean }>(db, text, [
        worker,
        chore,
      ])
      return { term: term === null ? null : BigInt(term), resign }
    },
    unlockChore: (db: Queryable, worker: string, chore: string, how: EndOfTerm) =>
      done(call(db, `select ${schema}.unlock_chore($1, $2, $3)`, [worker, chore, how])),
  }
}

function cardAsJson({ name, strategy, everyMs, timeoutMs, ttlMs }: ChoreCard) {
  const span = (ms: number) => `${ms} milliseconds`
  return { name, strategy, every: span(everyMs), timeout: span(timeoutMs), ttl: span(ttlMs) }
}

function asArrays(chores: readonly ChoreTerm[]): [string[], (string | null)[]] {
  return [
    chores.map(({ chore }) => chore),
    chores.map(({ term }) => (term === null ? null : String(term))),
  ]
}
