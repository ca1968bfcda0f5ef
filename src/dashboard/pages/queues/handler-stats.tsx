import type { JSX } from 'preact'
import type { handlerStats } from '../../../http/schemas/stats.ts'
import { Section } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { count, duration } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import type { Page, Read } from '../../model.ts'
import { href, queryValue } from '../../router.ts'

type Stats = Read<typeof handlerStats>

/** How the latest tasks of each handler went: of one queue, or of all. */
export function HandlerStats({ queue = '' }: { readonly queue?: string }): JSX.Element | null {
  const range = queryValue('range') || '1h'
  const loaded = useLoad<Page<Stats>>('/stats/handlers', { range, queue }, { every: 15_000 })
  const rows = loaded.data.value?.items ?? []
  if (rows.length === 0 && loaded.error.value === null) return null
  return (
    <Section
      title="Handlers"
      flush
      actions={
        rows[0] !== undefined && (
          <span class="muted">
            what ended since <Time at={rows[0].since} />
          </span>
        )
      }
    >
      <ProblemNote error={loaded.error.value} />
      <Table
        label="Handlers"
        rows={rows}
        rowKey={({ queue, kind, handler }) => `${queue} ${kind} ${handler}`}
        columns={queue === '' ? [queueColumn, ...columns] : columns}
      />
    </Section>
  )
}

const queueColumn: Column<Stats> = {
  title: 'Queue',
  cell: ({ queue }) => <a href={href(`/queues/${encodeURIComponent(queue)}`)}>{queue}</a>,
}

const columns: readonly Column<Stats>[] = [
  { title: 'Handler', cell: ({ handler, kind }) => handler ?? kind },
  { title: 'Done', cell: ({ done }) => count(done), align: 'right' },
  {
    title: 'Failed',
    cell: ({ failed, queue, handler }) =>
      failed === 0 ? (
        '0'
      ) : (
        <a href={href('/tasks', { queue, state: 'failed', handler: handler ?? '' })}>
          {count(failed)}
        </a>
      ),
    align: 'right',
  },
  {
    title: 'Attempts',
    from: 'wide',
    cell: ({ attempts }) => String(Number(attempts.toFixed(2))),
    align: 'right',
  },
  { title: 'Waited p95', from: 'wide', cell: ({ wait_p95 }) => time(wait_p95), align: 'right' },
  { title: 'Ran p50', from: 'wide', cell: ({ run_p50 }) => time(run_p50), align: 'right' },
  { title: 'Ran p95', cell: ({ run_p95 }) => time(run_p95), align: 'right' },
  { title: 'Last', from: 'wide', cell: ({ last_at }) => <Time at={last_at} /> },
]

function time(seconds: number | null): string {
  return seconds === null ? '–' : duration(seconds)
}
