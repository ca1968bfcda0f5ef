import { tidy } from '../measure/relations.ts'
import type { Background } from '../subjects/subject.ts'
import { draining, queue } from './drain.ts'
import type { Scenario, Variant } from './scenario.ts'

type Around = Omit<Background, 'count'>

const manner = { batch: 500, overlaps: true, hints: true }
const alone = draining('empty table', manner)

export const drainFuture = around('drain-future', 'future tasks of the same queue', {
  kind: 'future',
  queue,
})
export const drainOtherQueue = around('drain-other-queue', 'older ready tasks of another queue', {
  kind: 'ready',
  queue: 'another',
})
export const drainLowPriority = around(
  'drain-low-priority',
  'older ready tasks of lower priority in the same queue',
  { kind: 'ready', queue, priority: -10 },
)
export const drainFinished = around('drain-finished', 'finished tasks', { kind: 'finished', queue })

function around(name: string, what: string, background: Around): Scenario {
  return {
    name,
    shows: `whether draining stays as fast with 1 M ${what} around`,
    variants: [alone, amid(what, background)],
  }
}

function amid(name: string, background: Around): Variant {
  return {
    ...draining(`amid ${name}`, manner),
    suits: (subject) => background.kind !== 'finished' || subject.keepsHistory,
    async prepare({ subject, admin, sizes }) {
      await subject.load(admin, { ...background, count: sizes.background })
      await tidy(admin)
    },
  }
}
