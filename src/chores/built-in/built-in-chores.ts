import type { Queryable } from '../../db/queryable.ts'
import { type Chore, type ChoreContext, defineChore } from '../chore.ts'
import type { ChoreTools } from '../strategies/strategy.ts'
import { endLostHolders } from './end-lost-holders.ts'
import { vacuumWornTables } from './vacuum-worn-tables.ts'

export interface BuiltInOptions {
  readonly tools: Pick<ChoreTools, 'verbs' | 'share'>
  readonly schema: string
  /** How long tasks are claimed for: what no worker holds now cannot run out sooner. */
  readonly leaseMs: number
}

/** How often each is done at least; what is done at once is said by the engine's verb. */
const chores = {
  /** Rings workers that sleep although a task is due. */
  wake: { everyMs: 10_000, timeoutMs: 5_000, batch: 1_000 },
  /** Takes back what dead workers held. */
  rescue: { everyMs: 15_000, timeoutMs: 30_000, batch: 1_000, firstWithinMs: 1_000 },
  /** Removes what need not be kept. */
  sweep: { everyMs: 300_000, timeoutMs: 60_000, batch: 10_000 },
  /** Folds the changes of the counters. */
  roll_up: { everyMs: 30_000, timeoutMs: 30_000, batch: 10_000 },
  /** Removes workers that left without a word. */
  forget_workers: { everyMs: 30_000, timeoutMs: 30_000, batch: 10_000 },
  /** Checks the counters of limits. */
  repair_limits: { everyMs: 30_000, timeoutMs: 30_000, batch: 10_000 },
  /** Goes on with operations whose drivers are silent, a page at a time. */
  operations: { everyMs: 5_000, timeoutMs: 30_000, batch: 500 },
} as const

/**
 * Fails what is past its deadline, and takes back what was claimed with a short lease. Often, because deadlines and
 * leases that were set since the last round are known to no worker that waits for the next one.
 */
const expire = { everyMs: 1_500, timeoutMs: 30_000, batch: 1_000 } as const

/** Fires schedules when they are due, and at once when one was changed. */
const fire = { everyMs: 15_000, timeoutMs: 30_000, batch: 100 } as const

const storage = { everyMs: 600_000, timeoutMs: 600_000, batch: 10_000 } as const

/** Whether a lease is over and its tasks could not be taken: run_chore() wants to be called again within a second. */
function isOverdue(nextInMs: number | null): boolean {
  return nextInMs !== null && nextInMs <= 1_000
}

/** The chores of every worker. Each is a round of the verb run_chore(), fenced by the leader's term. */
export function builtInChores({ tools, schema, leaseMs }: BuiltInOptions): Chore[] {
  const { verbs } = tools
  const round = (name: string) => async (context: ChoreContext) => {
    const { transaction, batch, signal, term } = context
    const run = (on: Queryable) => verbs.runChore(on, name, { limit: batch })
    // Where every worker rescues there is no leader to fence, and one statement is enough.
    const isShared = name === 'rescue' && term === null
    const done = await (isShared ? tools.share(signal, run) : transaction(run))
    if (name === 'rescue' && isOverdue(done.next_in_ms)) await endLostHolders(verbs, context)
    if (name === 'rescue') tellRescued(context, done.processed)
    return { processed: done.processed, nextInMs: done.next_in_ms }
  }
  return [
    ...Object.entries({ ...chores, rescue: { ...chores.rescue, everyMs: leaseMs } }).map(
      ([name, settings]) => defineChore({ name, ...settings, run: round(name) }),
    ),
    defineChore({
      name: 'expire',
      ...expire,
      run: async (context) => {
        const { processed, nextInMs } = await round('expire')(context)
        // A lease that was taken since the others looked ends sooner than they look again.
        const { transaction, batch } = context
        const rescued = await transaction((on) => verbs.runChore(on, 'rescue', { limit: batch }))
        tellRescued(context, rescued.processed)
        return { processed: processed + rescued.processed, nextInMs }
      },
    }),
    defineChore({ name: 'fire', ...fire, channel: `${schema}:schedules`, run: round('fire') }),
    defineChore({
      name: 'storage',
      ...storage,
      run: async (context) => {
        const { processed } = await round('storage')(context)
        return { processed: processed + (await vacuumWornTables(verbs, context)) }
      },
    }),
  ]
}

function tellRescued({ log }: ChoreContext, tasks: number): void {
  if (tasks > 0) log.warn({ tasks }, 'rescued tasks whose worker stopped renewing its lease')
}
