import type { Client } from 'pg'
import type { Figures } from '../measure/figures.ts'
import { Meter } from '../measure/meter.ts'
import type { Claimed } from '../subjects/subject.ts'
import { fill } from './fill.ts'
import { Hints } from './hints.ts'
import type { Scenario, Stage, Variant } from './scenario.ts'

export const queue = 'bench'

interface Manner {
  readonly batch: number
  /** The next claim is under way while the last batch is reported, each on its own connection. */
  readonly overlaps: boolean
  readonly hints: boolean
}

export const drain: Scenario = {
  name: 'drain',
  shows: 'one process that claims and completes no-op tasks, batch by batch',
  variants: [
    draining('500, overlapped', { batch: 500, overlaps: true, hints: true }),
    draining('500, one after the other', { batch: 500, overlaps: false, hints: true }),
    {
      ...draining('500, one after the other, no hints', {
        batch: 500,
        overlaps: false,
        hints: false,
      }),
      suits: (subject) => subject.takesHints,
    },
    draining('100, overlapped', { batch: 100, overlaps: true, hints: true }),
    draining('100, one after the other', { batch: 100, overlaps: false, hints: true }),
    draining('1, overlapped', { batch: 1, overlaps: true, hints: true }),
    draining('1, one after the other', { batch: 1, overlaps: false, hints: true }),
  ],
}

export function draining(name: string, manner: Manner): Variant {
  return {
    name,
    async round(stage) {
      const count = manner.batch === 1 ? stage.sizes.singles : stage.sizes.tasks
      await fill(stage, { queue, count })
      return drainNow(stage, count, manner)
    },
  }
}

/** Takes that many tasks and not one more: what lies behind them stays. */
export async function drainNow(stage: Stage, count: number, manner: Manner): Promise<Figures> {
  const claimDb = await stage.connections.get('claim')
  const completeDb = await stage.connections.get('complete')
  const take = taker(stage, claimDb, count, manner)

  const meter = await Meter.start(stage.admin, { claim: [claimDb], complete: [completeDb] })
  let done = 0
  let tasks = await take()
  while (tasks.length > 0) {
    const reported = stage.subject.complete(completeDb, tasks)
    if (!manner.overlaps) await reported
    const [completed, next] = await Promise.all([reported, take()])
    done += completed
    tasks = next
  }
  const figures = await meter.stop(count)
  if (done !== count) throw new Error(`${stage.subject.name} completed ${done} of ${count} tasks`)
  return figures
}

/** Claims with hints; what these miss is found from the start, before it is called the end. */
function taker(stage: Stage, db: Client, count: number, manner: Manner) {
  const { subject } = stage
  const hints = manner.hints && subject.takesHints ? new Hints() : undefined
  let left = count
  return async (): Promise<Claimed[]> => {
    if (left === 0) return []
    const limit = Math.min(manner.batch, left)
    let tasks = await subject.claim(db, queue, limit, hints?.hints)
    if (tasks.length === 0 && hints) tasks = await subject.claim(db, queue, limit)
    hints?.learn(tasks)
    left -= tasks.length
    return tasks
  }
}
