import type { JSX } from 'preact'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Facts } from '../../components/facts.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { Needs } from '../../components/needs.tsx'
import { PageFrame, Section } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import { Time } from '../../components/time.tsx'
import { useLoad } from '../../lib/load.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'
import type { PageProps } from '../page.ts'
import { TaskTable } from '../tasks/task-table.tsx'
import { drain, type WorkerDetail, workerPath } from './worker-model.ts'
import { WorkerState } from './workers.tsx'

/** One worker: what it is, and the tasks that it holds. */
export function Worker({ params }: PageProps): JSX.Element {
  const id = params['id'] ?? ''
  const loaded = useLoad<WorkerDetail>(workerPath(id), {}, { when: true, every: 2_000, pace: 900 })
  const worker = loaded.data.value
  const held = worker?.running ?? null
  return (
    <PageFrame
      title={id}
      actions={
        worker !== null && may('operate') ? (
          <Button
            look="danger"
            disabled={worker.draining_at !== null}
            onClick={() => void drain(worker, worker.tasks).then(loaded.reload)}
          >
            Drain…
          </Button>
        ) : undefined
      }
    >
      <p class="crumb">
        <a href={href('/workers')}>Workers</a>
      </p>
      <Needs scope="operate" to="drain it" />
      <div class="stack">
        <ProblemNote error={loaded.error.value} />
        {worker !== null && <About worker={worker} />}
        {held !== null && (
          <Section
            title="Tasks it holds"
            flush
            actions={<a href={href('/tasks', { worker: id })}>All it has run</a>}
          >
            {held.length > 0 ? (
              <TaskTable tasks={held} selection={undefined} head={null} />
            ) : (
              <EmptyState title="Nothing runs here now." />
            )}
          </Section>
        )}
      </div>
    </PageFrame>
  )
}

function About({ worker }: { readonly worker: WorkerDetail }): JSX.Element {
  const { queues, state } = worker
  return (
    <div class="columns">
      <Section title="Worker">
        <Facts
          facts={[
            ['State', <WorkerState key="state" worker={worker} />],
            [
              'Host',
              worker.pid === null
                ? `${worker.host}, over HTTP`
                : `${worker.host}, pid ${worker.pid}`,
            ],
            ['Version', worker.version],
            ['Queues', queues === null || queues.length === 0 ? 'all' : queues.join(', ')],
            ['Handlers', handlersOf(worker)],
            ['Slots', worker.slots],
            ['Heartbeat', <Time key="beat" at={worker.beat_at} />],
            ['Started', <Time key="started" at={worker.started_at} />],
            ...(worker.draining_at === null
              ? []
              : [['Draining since', <Time key="draining" at={worker.draining_at} />] as const]),
          ]}
        />
      </Section>
      {state !== null && state !== undefined && (
        <Section title="Details">
          <JsonView value={state} label="State" />
        </Section>
      )}
    </div>
  )
}

/** With the versions that each takes, where it is not the first alone. */
function handlersOf({
  kinds,
  handlers,
  versions_from: from,
  versions_to: to,
}: WorkerDetail): string {
  const others = (kinds ?? []).filter((kind) => kind !== 'handler')
  if (handlers === null) return ['all', ...others].join(', ')
  const named = handlers.map((name, at) => {
    const [first, last] = [from?.[at], to?.[at]]
    const versions = first === last ? `v${first}` : `v${first}–${last}`
    return first === 1 && last === 1 ? name : `${name ?? 'documents'} (${versions})`
  })
  return [...named, ...others].join(', ')
}
