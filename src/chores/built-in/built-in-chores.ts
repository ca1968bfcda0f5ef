import {
  type Chore,
  type ChoreContext,
  type ChoreDefinition,
  defineChore,
  type Once,
} from '../chore.ts'
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

/** Takes back what dead workers held. */
const rescuing = { timeoutMs: 30_000, batch: 1_000, firstWithinMs: 1_000 } as const

/**
 * Fails what is past its deadline, and takes back what was claimed with a short lease. Often, because deadlines and
 * leases that were set since the last round are known to no worker that waits for the next one; less often while there
 * are none at all.
 */
const expire = { everyMs: 4_000, timeoutMs: 30_000, batch: 1_000 } as const
const expireSoonMs = 1_500

/** Fires schedules when they are due, and at once when one was changed. */
const fire = { everyMs: 15_000, timeoutMs: 30_000, batch: 100 } as const

const storage = { everyMs: 600_000, timeoutMs: 600_000, batch: 10_000 } as const

/** Rounds that may take longer than one statement is given: see Once. */
const isHeavy = new Set(['sweep', 'storage'])

/** defineChore() hides from chores what only these are given. */
function builtIn({ run, ...definition }: Omit<ChoreDefinition, 'run'> & Pick<Chore, 'run'>): Chore {
  return { ...defineChore({ ...definition, run: () => {} }), run }
}

/** Whether a lease is over and its tasks could not be taken: run_chore() wants to be called again within a second. */
function isOverdue(nextInMs: number | null | undefined): boolean {
  return typeof nextInMs === 'number' && nextInMs <= 1_000
}

/** The chores of every worker. Each is a round of the verb run_chore(), fenced by the leader's term. */
export function builtInChores({ tools, schema, leaseMs }: BuiltInOptions): Chore[] {
  const { verbs } = tools
  const round =
    (name: string): Chore['run'] =>
    async (context, once = context.transaction) => {
      const { batch, term, worker } = context
      const run = isHeavy.has(name) ? context.transaction : once
      const done = await run((on) => verbs.runChore(on, name, { limit: batch, worker, term }))
      return { processed: done.processed, nextInMs: done.next_in_ms }
    }
  const rescue: Chore['run'] = async (context, once) => {
    // Where every worker rescues there is no leader to fence, and an idle worker has a connection that is free.
    const shared: Once = (statement) => tools.share(context.signal, statement)
    const done = await round('rescue')(context, context.term === null ? shared : once)
    if (isOverdue(done?.nextInMs)) await endLostHolders(verbs, context)
    tellRescued(context, done?.processed ?? 0)
    return done
  }
  return [
    ...Object.entries(chores).map(([name, settings]) =>
      builtIn({ name, ...settings, run: round(name) }),
    ),
    builtIn({ name: 'rescue', ...rescuing, everyMs: leaseMs, run: rescue }),
    builtIn({
      name: 'expire',
      ...expire,
      run: async (context, once = context.transaction) => {
        const { batch, term, worker } = context
        // A lease that was taken since the others looked ends sooner than they look again.
        const { expired, rescued } = await once((on) =>
          verbs.expireAndRescue(on, { limit: batch, worker, term }),
        )
        tellRescued(context, rescued.processed)
        const isIdle = expired.next_in_ms === null && rescued.next_in_ms === null
        return {
          processed: expired.processed + rescued.processed,
          nextInMs: isIdle ? null : Math.min(expired.next_in_ms ?? expireSoonMs, expireSoonMs),
        }
      },
    }),
    builtIn({ name: 'fire', ...fire, channel: `${schema}:schedules`, run: round('fire') }),
    builtIn({
      name: 'storage',
      ...storage,
      run: async (context) => {
        const done = await round('storage')(context)
        return { processed: (done?.processed ?? 0) + (await vacuumWornTables(verbs, context)) }
      },
    }),
  ]
}

function tellRescued({ log }: ChoreContext, tasks: number): void {
  if (tasks > 0) log.warn({ tasks }, 'rescued tasks whose worker stopped renewing its lease')
}
