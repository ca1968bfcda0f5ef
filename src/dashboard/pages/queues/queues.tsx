import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Needs } from '../../components/needs.tsx'
import { PageFrame, Section } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import { SearchBox } from '../../components/search-box.tsx'
import { plural } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import type { QueueStats, Stats } from '../../model.ts'
import { queryValue } from '../../router.ts'
import { Groups } from '../groups/groups.tsx'
import { OperationProgress } from '../tasks/operation-progress.tsx'
import { HandlerStats } from './handler-stats.tsx'
import { QueueTable } from './queue-table.tsx'
import { usePulses } from './use-pulses.ts'

const pageSize = 50

/** Every queue, what waits and runs in it; and the groups that limit across queues. */
export function Queues(): JSX.Element {
  const stats = useLoad<Stats>('/stats', {}, { when: true, every: 5_000, pace: 900 })
  const pulses = usePulses()
  const all = stats.data.value?.queues ?? null
  const text = queryValue('name').toLowerCase()
  const found = (all ?? []).filter(({ queue }) => queue.toLowerCase().includes(text))
  return (
    <PageFrame title="Queues" actions={<OperationProgress />}>
      <Needs scope="operate" to="pause, limit, retry or purge" />
      <div class="stack">
        <SearchBox name="name" label="Queues and groups by name" />
        <ProblemNote error={stats.error.value} onRetry={stats.reload} />
        {all !== null && all.length === 0 && (
          <EmptyState title="No queues yet" command={`tusk sql 'select now()' --wait`}>
            A queue is there as soon as something is in it.
          </EmptyState>
        )}
        {found.length > 0 && <QueueList queues={found} pulses={pulses} onDone={stats.reload} />}
        {all !== null && all.length > 0 && found.length === 0 && (
          <EmptyState title="No queue has that in its name" />
        )}
        {text === '' && <HandlerStats />}
        <Groups text={text} />
      </div>
    </PageFrame>
  )
}

function QueueList({
  queues,
  pulses,
  onDone,
}: {
  readonly queues: readonly QueueStats[]
  readonly pulses: ReadonlyMap<string, readonly number[]>
  readonly onDone: () => void
}): JSX.Element {
  const most = useSignal(pageSize)
  const shown = queues.slice(0, most.value)
  const more = queues.length - shown.length
  return (
    <Section
      title="Queues"
      flush
      actions={<span class="muted">{plural(queues.length, 'queue')}</span>}
    >
      <QueueTable queues={shown} pulses={pulses} onDone={onDone} />
      {more > 0 && (
        <div class="more">
          <Button
            onClick={() => (most.value += pageSize)}
          >{`Show ${Math.min(more, pageSize)} more`}</Button>
        </div>
      )}
    </Section>
  )
}
