import type { JSX } from 'preact'
import { Badge } from '../../components/badge.tsx'
import { Gauge } from '../../components/gauge.tsx'
import { Sparkline } from '../../components/sparkline.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Elapsed } from '../../components/time.tsx'
import { now } from '../../lib/clock.ts'
import { shortCount } from '../../lib/format.ts'
import { problemsOf } from '../../lib/queue-health.ts'
import type { QueueStats } from '../../model.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'
import { QueueMenu } from './queue-menu.tsx'

interface QueueTableProps {
  readonly queues: readonly QueueStats[]
  readonly pulses: ReadonlyMap<string, readonly number[]>
  readonly onDone: () => void
}

/** Counts of what waits stop here. */
const cap = 10_000

export function QueueTable({ queues, pulses, onDone }: QueueTableProps): JSX.Element {
  const menu: Column<QueueStats> = {
    title: 'Actions',
    isTitleHidden: true,
    class: 'col-menu',
    cell: (stats) => <QueueMenu stats={stats} onDone={onDone} />,
  }
  return (
    <Table
      label="Queues"
      rows={queues}
      rowKey={({ queue }) => queue}
      rowHref={({ queue }) => queueHref(queue)}
      columns={[...columns(pulses), ...(may('operate') ? [menu] : [])]}
    />
  )
}

export function queueHref(queue: string): string {
  return href(`/queues/${encodeURIComponent(queue)}`)
}

function columns(pulses: QueueTableProps['pulses']): readonly Column<QueueStats>[] {
  return [
    {
      title: 'Queue',
      class: 'col-name',
      cell: ({ queue }) => (
        <a class="cell-cut" href={queueHref(queue)}>
          {queue}
        </a>
      ),
    },
    { title: 'State', cell: (stats) => <QueueState stats={stats} /> },
    {
      title: 'Running',
      cell: ({ queue, running, max_running }) => (
        <Gauge value={running} limit={max_running} label={`${queue}: running of its limit`} />
      ),
    },
    { title: 'Due', align: 'right', cell: ({ due }) => capped(due) },
    { title: 'Later', align: 'right', from: 'wide', cell: ({ later }) => capped(later) },
    {
      title: 'Oldest due',
      align: 'right',
      from: 'wide',
      cell: ({ oldest_due_at: at }) => (at === null ? dash : <Elapsed since={at} />),
    },
    {
      title: 'Last hour',
      from: 'widest',
      cell: ({ queue }) => (
        <Sparkline
          values={pulses.get(queue) ?? []}
          label={`${queue}: tasks done per minute in the last hour`}
          tone="done"
        />
      ),
    },
    {
      title: 'Done',
      align: 'right',
      from: 'wide',
      cell: ({ done_last_hour: done }) => shortCount(done),
    },
    {
      title: 'Failed',
      align: 'right',
      from: 'wide',
      cell: ({ failed_last_hour: failed }) =>
        failed === 0 ? dash : <span class="what__error">{shortCount(failed)}</span>,
    },
  ]
}

const dash = <span class="muted">–</span>

function capped(value: number): string {
  return shortCount(value) + (value >= cap ? '+' : '')
}

/** Paused, or the worst of its problems, or fine. */
export function QueueState({ stats }: { readonly stats: QueueStats }): JSX.Element {
  const problems = problemsOf(stats, now.value)
  const [worst] = problems
  const all = problems.map(({ text }) => text).join(', ')
  if (stats.paused_at !== null) {
    return <Badge state="paused" tone="blocked" title={all === '' ? undefined : all} />
  }
  if (worst === undefined) return <Badge state="keeps up" tone="done" />
  return (
    <Badge state={worst.text.replace(/ in the last hour|:.*/, '')} tone={worst.tone} title={all} />
  )
}
