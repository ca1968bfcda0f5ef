import type { Queryable } from '../db/queryable.ts'
import type { StrategyKind } from '../engine/leading.ts'
import { type Duration, toTimerMs } from '../lib/duration.ts'
import { TuskError } from '../lib/errors.ts'
import type { Logger } from '../lib/logger.ts'
import { type KnownOptions, requireOptions } from '../lib/require-known.ts'

/** What one run of a chore is given. */
export interface ChoreContext {
  /** Aborts when leadership is lost, when the run takes too long, and when the worker stops. */
  readonly signal: AbortSignal
  /** The term in which this worker leads, or null when the chore has no single leader. */
  readonly term: bigint | null
  /** The id of the worker. */
  readonly worker: string
  /** How many things to deal with at once. */
  readonly batch: number
  /** Runs single statements, each on a connection that no other code uses meanwhile. */
  readonly db: Queryable
  /**
   * Runs work in a transaction that only the leader can commit: it is refused with `leadership_lost`
   * when another worker leads, and cancelled before leadership could pass on.
   */
  transaction<T>(work: (db: Queryable) => Promise<T>): Promise<T>
  readonly log: Logger
}

/** What became of one run. */
export interface ChoreResult {
  /** How many things it dealt with. As many as `batch`, or more: it is run again at once. */
  readonly processed: number
  /** In how long there will be more to do, if it can tell; never later than `everyMs`. */
  readonly nextInMs?: number | null
}

/**
 * Runs one statement that is a transaction of its own and asks for the leader's term itself. The server ends it before
 * leadership could pass on.
 */
export type Once = <T extends object>(statement: (db: Queryable) => Promise<T>) => Promise<T>

type Run = (
  context: ChoreContext,
  /** For the built-in chores: a transaction takes four statements. */
  once?: Once,
) => Promise<ChoreResult | undefined> | ChoreResult | undefined

/** A chore: periodic housekeeping, done by one worker at a time. */
export interface Chore {
  readonly name: string
  /** The longest pause between two runs. */
  readonly everyMs: number
  /** How long a run may take. */
  readonly timeoutMs: number
  readonly batch: number
  /** Who does it; by default what the worker's environment asks for. */
  readonly strategy?: StrategyKind | undefined
  /** A channel of NOTIFY on which it is run at once. */
  readonly channel?: string | undefined
  /** Where every worker does it: each runs it within this time of its start; by default within `everyMs`. */
  readonly firstWithinMs?: number | undefined
  readonly run: Run
}

/** The settings of a chore. By default a run may take 30 s and handles 100 things. */
export interface ChoreDefinition {
  readonly name: string
  readonly everyMs: Duration
  readonly timeoutMs?: Duration
  readonly batch?: number
  readonly strategy?: StrategyKind
  readonly channel?: string
  readonly firstWithinMs?: Duration
  // biome-ignore lint/suspicious/noConfusingVoidType: a run need not answer anything.
  run(context: ChoreContext): Promise<ChoreResult | void> | ChoreResult | void
}

const choreDefinition: KnownOptions<ChoreDefinition> = {
  name: true,
  everyMs: true,
  timeoutMs: true,
  batch: true,
  strategy: true,
  channel: true,
  firstWithinMs: true,
  run: true,
}

/**
 * Defines a chore of your own, for `startWorker({ chores: { chores: [...] } })`. It has the guarantees
 * of the built-in ones: one leader at a time, takeover when it dies, fenced transactions.
 *
 * Leadership saves work; it does not make a run exactly-once. Write what `run` does so that doing it
 * twice does no harm, and put writes that must be the leader's into `transaction`.
 *
 * @example
 * ```ts
 * const refresh = defineChore({
 *   name: 'refresh_totals',
 *   everyMs: 60_000,
 *   run: ({ transaction }) =>
 *     transaction(async (db) => {
 *       const { rowCount } = await db.query('update totals set at = now() where at < now() - $1::interval', ['1 minute'])
 *       return { processed: rowCount ?? 0 }
 *     }),
 * })
 * ```
 */
export function defineChore(definition: ChoreDefinition): Chore {
  requireOptions('defineChore()', definition, choreDefinition)
  const { name, batch = 100, strategy, channel } = definition
  if (typeof name !== 'string' || name.length < 1 || name.length > 100) {
    throw invalid('a chore needs a name of 1 to 100 characters', 'Give it one in `name`.')
  }
  const time = (option: string, given: Duration) => toTimerMs(`chore ${name}: ${option}`, given, 1)
  const everyMs = time('everyMs', definition.everyMs)
  const timeoutMs = time('timeoutMs', definition.timeoutMs ?? 30_000)
  const { firstWithinMs: first } = definition
  const firstWithinMs = first === undefined ? undefined : time('firstWithinMs', first)
  requireNumber(name, 'batch', batch)
  if (typeof definition.run !== 'function') {
    throw invalid(`chore ${name} has nothing to run`, 'Give it a function in `run`.')
  }
  return {
    name,
    everyMs,
    timeoutMs,
    batch,
    strategy,
    channel,
    firstWithinMs,
    run: async (context) => (await definition.run(context)) ?? undefined,
  }
}

/** The longest that a timer takes: 24 days. */
const most = 2 ** 31 - 1

function requireNumber(chore: string, option: string, value: number): void {
  if (value >= 1 && value <= most) return
  throw invalid(`chore ${chore}: ${option} cannot be ${value}`, `Give a number from 1 to ${most}.`)
}

function invalid(message: string, hint: string): TuskError {
  return new TuskError('invalid_argument', message, { hint })
}
