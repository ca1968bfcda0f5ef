import type { JSX } from 'preact'
import { Badge } from '../../components/badge.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Section } from '../../components/page.tsx'
import { Table } from '../../components/table.tsx'
import { now } from '../../lib/clock.ts'
import { shortCount } from '../../lib/format.ts'
import { problemsOf, type QueueProblem } from '../../lib/queue-health.ts'
import type { QueueStats } from '../../model.ts'
import { href } from '../../router.ts'

interface Troubled {
  readonly queue: QueueStats
  readonly worst: QueueProblem
  readonly all: string
}

const most = 8

/** The queues that need an operator, the worst first. */
export function ProblemQueues({
  queues,
}: {
  readonly queues: readonly QueueStats[] | null
}): JSX.Element {
  const troubled = (queues ?? [])
    .flatMap((queue): Troubled[] => {
      const problems = problemsOf(queue, now.value)
      const [worst] = problems
      return worst === undefined
        ? []
        : [{ queue, worst, all: problems.map(({ text }) => text).join(', ') }]
    })
    .sort((a, b) => b.worst.weight - a.worst.weight)
    .slice(0, most)
  return (
    <Section title="Queues with problems" flush actions={<a href={href('/queues')}>All queues</a>}>
      {troubled.length > 0 && <TroubledTable rows={troubled} />}
      {queues !== null && queues.length > 0 && troubled.length === 0 && (
        <EmptyState title="None. All queues keep up." />
      )}
      {queues !== null && queues.length === 0 && (
        <EmptyState title="No queues yet" command={`tusk sql 'select now()' --wait`}>
          A queue is there as soon as something is in it.
        </EmptyState>
      )}
    </Section>
  )
}

function TroubledTable({ rows }: { readonly rows: readonly Troubled[] }): JSX.Element {
  return (
    <Table
      label="Queues with problems"
      rows={rows}
      rowKey={({ queue }) => queue.queue}
      rowHref={({ queue }) => href(`/queues/${encodeURIComponent(queue.queue)}`)}
      columns={[
        {
          title: 'Queue',
          class: 'col-name',
          cell: ({ queue }) => (
            <a class="cell-cut" href={href(`/queues/${encodeURIComponent(queue.queue)}`)}>
              {queue.queue}
            </a>
          ),
        },
        {
          title: 'Problem',
          cell: ({ worst, all }) => <Badge state={worst.text} tone={worst.tone} title={all} />,
        },
        { title: 'Due', align: 'right', cell: ({ queue }) => shortCount(queue.due) },
      ]}
    />
  )
}
