import type { Fill } from '../agent/protocol.ts'
import type { Stage } from '../stage.ts'
import { type DrainOptions, drain } from './drain.ts'
import { queue, type Variant, type Workload } from './workload.ts'

const other = 'other'

export const around: Workload = {
  name: 'around',
  shows: 'drain amid 1 M future tasks, 1 M of another queue, 1 M of lower priority',
  mostRounds: 3,
  variants: [
    among('none'),
    among('future', { queues: [queue], inFuture: true }),
    among('other-queue', { queues: [other] }),
    among('lower-priority', { queues: [queue], priority: -10 }),
  ],
}

function among(name: string, background?: Omit<Fill, 'count'>): Variant {
  return {
    name,
    needs: 'all',
    queues: () => [queue, other],
    prepare: async (stage, { background: count }) => {
      if (background === undefined) return
      const fill = { ...background, count, isBackground: true }
      await (await stage.producer()).call('fill', fill)
    },
    round: (stage, sizes) => {
      const tasks = Math.ceil(sizes.tasks * 0.3)
      return drain(stage, sizes, { tasks, isAmongOthers: true })
    },
  }
}

export const groups: Workload = {
  name: 'groups',
  shows: 'drain tasks of 10,000 groups, of limit 1 and without limits',
  variants: [
    { name: 'ungrouped', needs: 'groups', round: ungrouped },
    grouped('free', 'free groups', { groupLimit: 'none' }),
    grouped('group', 'groups', { groupLimit: 'group' }),
    grouped('task', 'group places', { groupLimit: 'task' }),
    grouped('queue', 'group places', { groupLimit: 'queue' }),
  ],
}

function grouped(
  name: string,
  needs: NonNullable<Variant['needs']>,
  { groupLimit = 'none' }: Pick<DrainOptions, 'groupLimit'>,
): Variant {
  return {
    name,
    needs,
    prepare: async (stage, sizes) => {
      await (await stage.producer()).call('limitGroups', sizes.groups, queue, groupLimit)
    },
    round: (stage, sizes) =>
      drain(stage, sizes, { tasks: sizes.tasks, groups: sizes.groups, groupLimit }),
  }
}

function ungrouped(stage: Stage, sizes: Parameters<Variant['round']>[1]) {
  return drain(stage, sizes, { tasks: sizes.tasks })
}

export const queues: Workload = {
  name: 'queues',
  shows: 'drain with one worker that serves 1, 10 or 1,000 queues',
  variants: [spreadOver('one', () => 1), spreadOver('ten', () => 10), spreadOver('many', manyOf)],
}

function manyOf(sizes: { readonly queues: number }): number {
  return sizes.queues
}

function spreadOver(name: string, count: (sizes: { readonly queues: number }) => number): Variant {
  const names = (sizes: { readonly queues: number }) =>
    Array.from({ length: count(sizes) }, (_, n) => `queue-${n}`)
  return {
    name,
    needs: 'queues',
    queues: names,
    round: (stage, sizes) => drain(stage, sizes, { tasks: sizes.tasks, queues: names(sizes) }),
  }
}

export const payloads: Workload = {
  name: 'payloads',
  shows: 'drain tasks with payloads of 10 kB and 200 kB of random text',
  variants: [
    {
      name: '10kB',
      needs: 'all',
      round: (stage, sizes) =>
        drain(stage, sizes, { ...large(10_000, 100), tasks: sizes.payloads }),
    },
    {
      name: '200kB',
      needs: 'all',
      round: (stage, sizes) =>
        drain(stage, sizes, { ...large(200_000, 10), tasks: Math.ceil(sizes.payloads / 10) }),
    },
  ],
}

function large(payloadBytes: number, perCall: number) {
  return { payloadBytes, perCall, isFewBatches: true }
}
