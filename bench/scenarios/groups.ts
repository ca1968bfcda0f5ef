import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { Meter } from '../measure/meter.ts'
import type { Claimed, Subject } from '../subjects/subject.ts'
import { fill } from './fill.ts'
import type { Scenario, Variant } from './scenario.ts'
import { Tally } from './tally.ts'

const queue = 'bench'
const batch = 500
const workers = 2
const patienceMs = 20_000

export const groups: Scenario = {
  name: 'groups',
  shows: 'two workers on tasks of 10,000 groups of limit 1, against the same without limits',
  variants: [
    grouped('no groups', {}),
    grouped('groups without limits', { groupOf: groupName }),
    {
      ...grouped('groups of limit 1, by set_group', { groupOf: groupName }),
      prepare: async ({ subject, admin, sizes }) => {
        const names = Array.from({ length: sizes.groups }, (_, n) => `group-${n}`)
        await subject.limitGroups(admin, names, 1)
      },
    },
    grouped('groups of limit 1, by task', { groupOf: groupName, maxRunning: 1 }),
    {
      ...grouped('groups of limit 1, by the queue', { groupOf: groupName }),
      prepare: ({ subject, admin }) => subject.limitGroupsOfQueue(admin, queue, 1),
    },
    grouped('new groups of limit 1, by task', {
      groupOf: (n, count, round) => `${round}-${groupName(n, count)}`,
      maxRunning: 1,
    }),
  ],
}

/** Scattered, so that a batch meets the same group now and then. */
function groupName(n: number, count: number): string {
  return `group-${(Math.imul(n + 1, 0x9e3779b1) >>> 7) % count}`
}

interface Grouping {
  readonly groupOf?: (n: number, groups: number, round: number) => string
  readonly maxRunning?: number
}

function grouped(name: string, { groupOf, maxRunning }: Grouping): Variant {
  let rounds = 0
  return {
    name,
    suits: (subject) => subject.keepsGroups,
    async round(stage) {
      const { subject, admin, connections, sizes } = stage
      const { tasks: count } = sizes
      const round = ++rounds
      const naming = groupOf && { groupOf: (n: number) => groupOf(n, sizes.groups, round) }
      await fill(stage, { queue, count, ...naming, ...(maxRunning && { maxRunning }) })
      const clients = await Promise.all(
        Array.from({ length: workers }, (_, n) => connections.get(`worker ${n}`)),
      )

      const tally = new Tally(count)
      const meter = await Meter.start(admin, { 'claim+complete': clients })
      await Promise.all(clients.map((db) => work(subject, db, tally)))
      const figures = await meter.stop(count)
      return { ...figures, more: { mostAtOnce: tally.mostAtOnce } }
    },
  }
}

/** Holds one batch while it claims the next, as a worker with a buffer does: groups are really full. */
async function work(subject: Subject, db: Client, tally: Tally): Promise<void> {
  let giveUpAt = performance.now() + patienceMs
  let held: Claimed[] = []
  while (tally.left > 0) {
    const next = await subject.claim(db, queue, batch)
    tally.begin(next)
    tally.end(held)
    if (held.length > 0) {
      tally.settle(await subject.complete(db, held))
      giveUpAt = performance.now() + patienceMs
    } else if (next.length === 0) {
      if (performance.now() > giveUpAt) throw new Error(`${tally.left} tasks are never given out`)
      await delay(1)
    }
    held = next
  }
}
