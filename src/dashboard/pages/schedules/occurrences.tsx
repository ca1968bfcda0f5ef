import type { JSX } from 'preact'
import { Badge } from '../../components/badge.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Section } from '../../components/page.tsx'
import { Pager } from '../../components/pager.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { duration, secondsBetween } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import type { Page, Task, TaskState } from '../../model.ts'
import { href, queryValue } from '../../router.ts'
import { type Occurrence, schedulePath } from './schedule-model.ts'

const pageSize = 30

interface Row extends Occurrence {
  /** Null: there was no task, or it is gone. */
  readonly state: TaskState | null
}

const reasons: Readonly<Record<string, string>> = {
  misfire: 'too late',
  overlap: 'the one before was not over',
  paused: 'paused',
  key: 'its key was taken',
  error: 'its task was refused',
}

/** What became of the planned times, the newest first. */
export function Occurrences({ name }: { readonly name: string }): JSX.Element {
  const cursor = queryValue('cursor')
  const loaded = useLoad<Page<Occurrence>>(
    schedulePath(name, '/occurrences'),
    { cursor, limit: pageSize },
    { when: true, every: 10_000, pace: 1_500 },
  )
  const items = loaded.data.value?.items ?? null
  const states = useStates(items ?? [])
  const rows = (items ?? []).map(
    (one): Row => ({ ...one, state: states.get(one.task ?? '') ?? null }),
  )
  return (
    <Section title="Past occurrences" flush>
      <ProblemNote error={loaded.error.value} />
      {rows.length > 0 && <Strip rows={rows} />}
      {rows.length > 0 && (
        <Table
          label="Past occurrences"
          rows={rows}
          rowKey={({ planned_at: at }) => at}
          rowHref={({ task }) => (task === null ? '' : href(`/tasks/${task}`))}
          columns={columns}
        />
      )}
      {items !== null && items.length === 0 && <EmptyState title="No runs yet." />}
      <Pager next={loaded.data.value?.next_cursor ?? null} />
    </Section>
  )
}

/** How the tasks of a page went; those that are gone are not there. */
function useStates(items: readonly Occurrence[]): ReadonlyMap<string, TaskState> {
  const ids = items.map(({ task }) => task).filter((task) => task !== null)
  const tasks = useLoad<Page<Task>>(
    ids.length === 0 ? null : '/tasks',
    { ids, limit: pageSize },
    { when: (changes) => ids.some((id) => changes.touchesTask(id)), every: 15_000 },
  )
  return new Map((tasks.data.value?.items ?? []).map(({ id, state }) => [id, state]))
}

/** The page at one glance, the oldest at the left. */
function Strip({ rows }: { readonly rows: readonly Row[] }): JSX.Element {
  const failed = rows.filter(({ state }) => state === 'failed').length
  const skipped = rows.filter(({ outcome }) => outcome === 'skipped').length
  return (
    <div
      class="strip"
      role="img"
      aria-label={`${rows.length} occurrences: ${failed} failed, ${skipped} skipped`}
    >
      {[...rows].reverse().map((row) => (
        <span
          key={row.planned_at}
          class={`strip__one tone-${row.outcome === 'skipped' ? 'blocked' : (row.state ?? 'plain')}`}
        />
      ))}
    </div>
  )
}

const columns: readonly Column<Row>[] = [
  { title: 'Planned', cell: ({ planned_at: at }) => <Time at={at} /> },
  {
    title: 'Outcome',
    cell: ({ outcome, state, reason }) =>
      outcome === 'skipped' ? (
        <Badge
          state={`skipped: ${reasons[reason ?? ''] ?? reason ?? 'no reason'}`}
          tone="blocked"
        />
      ) : (
        <Badge state={state ?? 'fired'} tone={state ?? 'plain'} />
      ),
  },
  {
    title: 'Task',
    cell: ({ task }) =>
      task === null ? <span class="muted">–</span> : <a href={href(`/tasks/${task}`)}>#{task}</a>,
  },
  {
    title: 'Late by',
    align: 'right',
    from: 'wide',
    cell: ({ planned_at: planned, recorded_at: recorded }) =>
      duration(Math.max(secondsBetween(planned, recorded) ?? 0, 0)),
  },
  {
    title: 'By',
    from: 'wide',
    cell: ({ origin }) => ({ schedule: 'plan', backfill: 'backfill', now: 'run now' })[origin],
  },
]
