import { tidy } from '../measure/relations.ts'
import { drainNow, queue } from './drain.ts'
import { fill } from './fill.ts'
import type { Scenario, Stage, Variant } from './scenario.ts'

const manner = { batch: 500, overlaps: true, hints: true }

export const hotGroup: Scenario = {
  name: 'hot-group',
  shows: 'tasks of one group behind 100,000 of another that is full (limit 1, one held running)',
  variants: [
    behind('nothing in front', async () => {}),
    behind('hot ones enqueued in bulk', async (stage, group) => {
      await fill(stage, { queue, count: stage.sizes.hot, groupOf: () => group })
    }),
    behind('hot ones never met before', async ({ subject, admin, sizes }, group) => {
      await subject.load(admin, { kind: 'ready', queue, count: sizes.hot, group })
    }),
  ],
}

/** Higher than the number of running tasks: the group has room, but must be counted. */
const roomy = 10_000

/** A new hot group per round. Tasks of the last group are parked by then, and stay. */
function behind(name: string, putInFront: (stage: Stage, group: string) => Promise<void>): Variant {
  let round = 0
  return {
    name,
    suits: (subject) => subject.keepsGroups,
    async round(stage) {
      const { subject, admin, sizes } = stage
      const group = `hot-${++round}`
      await subject.limitGroups(admin, [group], 1)
      await subject.limitGroups(admin, ['other'], roomy)
      await putInFront(stage, group)
      await subject.claim(admin, queue, 1)
      await tidy(admin)

      const count = Math.max(1, Math.floor(sizes.tasks / 5))
      await fill(stage, { queue, count, groupOf: () => 'other' })
      return drainNow(stage, count, manner)
    },
  }
}
