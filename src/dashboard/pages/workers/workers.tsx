import type { JSX } from 'preact'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Gauge } from '../../components/gauge.tsx'
import { Needs } from '../../components/needs.tsx'
import { PageFrame } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Tile, Tiles } from '../../components/tiles.tsx'
import { Time } from '../../components/time.tsx'
import { now } from '../../lib/clock.ts'
import { count, shortId } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import type { Page, Worker } from '../../model.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'
import { drain, stateOf } from './worker-model.ts'

/** The processes that run tasks. */
export function Workers(): JSX.Element {
  const workers = useLoad<Page<Worker>>('/workers', {}, { when: true, every: 2_000, pace: 1_000 })
  const all = workers.data.value?.items ?? null
  const drainColumn: Column<Worker> = {
    title: 'Actions',
    isTitleHidden: true,
    class: 'col-menu',
    cell: (worker) => (
      <Button
        disabled={worker.draining_at !== null}
        onClick={() => void drain(worker, worker.tasks).then(() => workers.reload())}
      >
        Drain…
      </Button>
    ),
  }
  return (
    <PageFrame title="Workers">
      <Needs scope="operate" to="drain workers" />
      <div class="stack">
        <ProblemNote error={workers.error.value} onRetry={workers.reload} />
        {all !== null && all.length === 0 && (
          <EmptyState title="No worker is running" command="tusk start">
            A worker runs the tasks of one or more queues. This one runs SQL tasks; handlers run in
            your own program, by startWorker().
          </EmptyState>
        )}
        {all !== null && all.length > 0 && (
          <>
            <Slots workers={all} />
            <section class="panel" aria-label="Workers">
              <Table
                label="Workers"
                rows={all}
                rowKey={({ id }) => id}
                rowHref={({ id }) => workerHref(id)}
                columns={[...columns, ...(may('operate') ? [drainColumn] : [])]}
              />
            </section>
          </>
        )}
      </div>
    </PageFrame>
  )
}

function Slots({ workers }: { readonly workers: readonly Worker[] }): JSX.Element {
  const sum = (value: (worker: Worker) => number) =>
    workers.reduce((total, worker) => total + value(worker), 0)
  const draining = workers.filter(({ draining_at: at }) => at !== null).length
  const silent = workers.filter((worker) => stateOf(worker, now.value).text === 'silent').length
  return (
    <Tiles>
      <Tile label="Workers" value={count(workers.length)} />
      <Tile label="Slots" value={count(sum(({ slots }) => slots))} />
      <Tile
        label="In use"
        value={count(sum(({ tasks }) => tasks))}
        tone="running"
        href={href('/tasks', { state: 'running' })}
      />
      <Tile label="Draining" value={count(draining)} tone={draining > 0 ? 'blocked' : 'plain'} />
      <Tile label="Silent" value={count(silent)} tone={silent > 0 ? 'failed' : 'plain'} />
    </Tiles>
  )
}

function workerHref(id: string): string {
  return href(`/workers/${encodeURIComponent(id)}`)
}

export function WorkerState({ worker }: { readonly worker: Worker }): JSX.Element {
  const { text, tone } = stateOf(worker, now.value)
  return <Badge state={text} tone={tone} />
}

const columns: readonly Column<Worker>[] = [
  {
    title: 'Worker',
    class: 'col-name',
    cell: ({ id }) => (
      <a class="cell-cut" href={workerHref(id)} title={id}>
        {shortId(id)}
      </a>
    ),
  },
  { title: 'State', cell: (worker) => <WorkerState worker={worker} /> },
  {
    title: 'Slots in use',
    cell: ({ id, tasks, slots }) => (
      <Gauge value={tasks} limit={slots} label={`${id}: slots in use`} />
    ),
  },
  {
    title: 'Queues',
    class: 'col-queue',
    from: 'wide',
    cell: ({ queues }) => (
      <span class="cell-cut" title={queues?.join(', ')}>
        {queues === null || queues.length === 0 ? 'all' : queues.join(', ')}
      </span>
    ),
  },
  {
    title: 'Host',
    from: 'widest',
    cell: ({ host, pid }) => (
      <span>
        {host} <span class="muted">{pid === null ? 'over HTTP' : `pid ${pid}`}</span>
      </span>
    ),
  },
  { title: 'Version', from: 'widest', cell: ({ version }) => version },
  {
    title: 'Heartbeat',
    align: 'right',
    from: 'wide',
    cell: ({ beat_at: at }) => <Time at={at} />,
  },
  {
    title: 'Started',
    align: 'right',
    from: 'widest',
    cell: ({ started_at: at }) => <Time at={at} />,
  },
]
