import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Figures } from '../measure/figures.ts'
import { Meter } from '../measure/meter.ts'
import type { Claimed } from '../subjects/subject.ts'
import { Claimer } from './claimer.ts'
import { fill } from './fill.ts'
import type { Scenario, Stage, Variant } from './scenario.ts'

export const queue = 'bench'
const patienceMs = 20_000

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

/** Claims exactly this many tasks. The other tasks stay. */
export async function drainNow(stage: Stage, count: number, manner: Manner): Promise<Figures> {
  const { subject, connections } = stage
  const [claimDb, completeDb, sweepDb] = await Promise.all(
    ['claim', 'complete', 'sweep'].map((purpose) => connections.get(purpose)),
  )
  if (!(claimDb && completeDb && sweepDb)) throw new Error('not connected')
  const claimer = new Claimer(subject, queue, claimDb, sweepDb, manner.hints)

  const measured = { claim: [claimDb, sweepDb], complete: [completeDb] }
  const meter = await Meter.start(stage.admin, measured)
  const take = patiently(claimer, count, manner.batch)
  let done = 0
  let tasks = await take()
  while (tasks.length > 0) {
    const reported = subject.complete(completeDb, tasks)
    if (!manner.overlaps) await reported
    const [completed, next] = await Promise.all([reported, take()])
    done += completed
    tasks = next
  }
  const figures = await meter.stop(count)
  await subject.complete(completeDb, await claimer.close())
  if (done !== count) throw new Error(`${subject.name} completed ${done} of ${count} tasks`)
  return figures
}

/** Claims until no task is left. A claim may miss tasks that are locked or that hints skip; a later claim finds them. */
function patiently(claimer: Claimer, count: number, batch: number): () => Promise<Claimed[]> {
  let left = count
  return async () => {
    const giveUpAt = performance.now() + patienceMs
    while (left > 0) {
      const tasks = await claimer.next(Math.min(batch, left))
      left -= tasks.length
      if (tasks.length > 0) return tasks
      if (performance.now() > giveUpAt) throw new Error(`${left} tasks are never given out`)
      await delay(1)
    }
    return []
  }
}
