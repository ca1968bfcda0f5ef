import type { Source } from '../../shared/cells.ts'
import type { Unit } from '../../shared/format.ts'
import type { Sizes } from '../sizes.ts'

/** A line of the table: one or more figures with the same unit. */
export interface Row {
  readonly label: (sizes: Sizes) => string
  readonly sources: readonly Source[]
  readonly unit: Unit
  /** Whether a larger figure is better. */
  readonly isRate: boolean
  readonly goal: string
}

const of = (workload: string, variant: string, metric: string, over?: string): Source => ({
  workload,
  variant,
  metric,
  ...(over === undefined ? {} : { over }),
})

const rate = (workload: string, variant: string, over?: string) =>
  of(workload, variant, 'perSecond', over)

const whole = (value: number) => value.toLocaleString('en')

export const rows: readonly Row[] = [
  {
    label: ({ tasks }) => `drain ${whole(tasks)} no-op tasks, one process`,
    sources: [rate('drain', 'one')],
    ...{ unit: 'rate', isRate: true, goal: '≥ 3 × graphile-worker, history kept' },
  },
  {
    label: () => 'CPU µs per task of that drain: Node + database',
    sources: [of('drain', 'one', 'nodeMicros'), of('drain', 'one', 'databaseMicros')],
    ...{ unit: 'micros', isRate: false, goal: '≤ 9.6 in all' },
  },
  {
    label: () => 'bulk enqueue, 1,000 a call, one caller',
    sources: [rate('enqueue-bulk', 'one')],
    ...{ unit: 'rate', isRate: true, goal: '≥ 2.5 × graphile-worker, ≥ plain table' },
  },
  {
    label: () => 'single enqueue, 10 / 32 callers',
    sources: [of('enqueue-single', 'all', 'ten'), of('enqueue-single', 'all', 'many')],
    ...{ unit: 'rate', isRate: true, goal: '≥ 8 × graphile-worker' },
  },
  {
    label: () => "single enqueue, 1 caller / in the caller's transaction",
    sources: [of('enqueue-single', 'all', 'one'), of('enqueue-single', 'all', 'transaction')],
    ...{ unit: 'rate', isRate: true, goal: '≥ 1.6 × graphile-worker' },
  },
  {
    label: ({ background }) =>
      `drain amid ${whole(background)} future tasks / of another queue / of lower priority, as a share of the same without`,
    sources: ['future', 'other-queue', 'lower-priority'].map((variant) =>
      rate('around', variant, 'none'),
    ),
    ...{ unit: 'share', isRate: true, goal: '≥ 0.9 each' },
  },
  {
    label: () => 'database CPU per task of those three, as a multiple of the same without',
    sources: ['future', 'other-queue', 'lower-priority'].map((variant) =>
      of('around', variant, 'databaseMicros', 'none'),
    ),
    ...{ unit: 'share', isRate: false, goal: '≤ 1.1 each' },
  },
  {
    label: ({ snapshotSeconds }) =>
      `${snapshotSeconds} s under a held snapshot: first ninth / last ninth`,
    sources: [of('snapshot', 'held', 'first'), of('snapshot', 'held', 'last')],
    ...{ unit: 'rate', isRate: true, goal: 'last ÷ first ≥ 0.9' },
  },
  {
    label: () => 'pickup when idle, p50 / p99 ms',
    sources: [of('trickle', 'one', 'p50'), of('trickle', 'one', 'p99')],
    ...{ unit: 'ms', isRate: false, goal: '≤ 3 / 9' },
  },
  {
    label: ({ rate: perSecond }) => `pickup at ${whole(perSecond)} tasks/s, p50 / p99 ms`,
    sources: [of('steady', 'one', 'p50'), of('steady', 'one', 'p99')],
    ...{ unit: 'ms', isRate: false, goal: '≤ 16 / 160' },
  },
  {
    label: ({ groups }) =>
      `${whole(groups)} groups of limit 1, set by the group / by the task / by the queue`,
    sources: ['group', 'task', 'queue'].map((variant) => rate('groups', variant)),
    ...{ unit: 'rate', isRate: true, goal: '≥ 0.6 of ungrouped' },
  },
  {
    label: ({ groups }) => `${whole(groups)} groups of limit 1, as a share of ungrouped`,
    sources: ['group', 'task', 'queue'].map((variant) => rate('groups', variant, 'ungrouped')),
    ...{ unit: 'share', isRate: true, goal: '≥ 0.6 each' },
  },
  {
    label: ({ groups }) => `${whole(groups)} groups without limits, as a share of ungrouped`,
    sources: [rate('groups', 'free', 'ungrouped')],
    ...{ unit: 'share', isRate: true, goal: '≥ 0.8' },
  },
  {
    label: ({ queues }) => `one worker serving 1 / 10 / ${whole(queues)} queues`,
    sources: ['one', 'ten', 'many'].map((variant) => rate('queues', variant)),
    ...{ unit: 'rate', isRate: true, goal: '≥ 0.8 of one queue' },
  },
  {
    label: () => 'payloads of 10 kB / 200 kB',
    sources: [rate('payloads', '10kB'), rate('payloads', '200kB')],
    ...{ unit: 'rate', isRate: true, goal: '≥ graphile-worker' },
  },
  {
    label: () => 'tasks that trickle in one at a time: database CPU ms per task',
    sources: [of('trickle', 'one', 'databaseMs')],
    ...{ unit: 'ms', isRate: false, goal: '≤ 1.8' },
  },
  {
    label: () => 'tasks that trickle in one at a time: statements per task',
    sources: [of('trickle', 'one', 'statements')],
    ...{ unit: 'count', isRate: false, goal: '≤ 4' },
  },
  {
    label: () => 'drain with 1 / 2 / 4 processes',
    sources: ['1', '2', '4'].map((variant) => rate('processes', variant)),
    ...{ unit: 'rate', isRate: true, goal: 'never fewer with more' },
  },
  {
    label: () => '10 idle processes: statements per second',
    sources: [of('idle', 'ten', 'statements')],
    ...{ unit: 'count', isRate: false, goal: '≤ 3' },
  },
  {
    label: () => '10 idle processes: connections',
    sources: [of('idle', 'ten', 'connections')],
    ...{ unit: 'count', isRate: false, goal: '≤ 30' },
  },
  {
    label: ({ million }) => `drain ${whole(million)} tasks, one process`,
    sources: [rate('million', 'one')],
    ...{ unit: 'rate', isRate: true, goal: '' },
  },
  {
    label: () => 'peak memory of that process, MB',
    sources: [of('million', 'one', 'peakRssMb')],
    ...{ unit: 'megabytes', isRate: false, goal: '' },
  },
]
