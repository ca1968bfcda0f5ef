import type { JSX } from 'preact'
import { Badge } from '../../components/badge.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Icon } from '../../components/icons.tsx'
import { Needs } from '../../components/needs.tsx'
import { PageFrame } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import { SearchBox } from '../../components/search-box.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { useLoad } from '../../lib/load.ts'
import type { Page, Schedule } from '../../model.ts'
import { href, queryValue } from '../../router.ts'
import { may } from '../../session.ts'
import { ScheduleMenu } from './schedule-menu.tsx'
import { scheduleTone } from './schedule-model.ts'

const most = 1_000

/** Every plan, what comes next and how the last one went. */
export function Schedules(): JSX.Element {
  const schedules = useLoad<Page<Schedule>>(
    '/schedules',
    { limit: most },
    { when: true, every: 5_000, pace: 2_000 },
  )
  const all = schedules.data.value?.items ?? null
  const text = queryValue('name').toLowerCase()
  const found = (all ?? []).filter(({ name }) => name.toLowerCase().includes(text))
  const menu: Column<Schedule> = {
    title: 'Actions',
    isTitleHidden: true,
    class: 'col-menu',
    cell: (schedule) => <ScheduleMenu schedule={schedule} onDone={schedules.reload} />,
  }
  return (
    <PageFrame title="Schedules" actions={may('operate') ? <NewSchedule /> : undefined}>
      <Needs scope="operate" to="make, change or run schedules" />
      <div class="stack">
        <SearchBox name="name" label="Schedules by name" />
        <ProblemNote error={schedules.error.value} onRetry={schedules.reload} />
        {all !== null && all.length === 0 && (
          <EmptyState
            title="Nothing is planned"
            command={`tusk schedule set nightly --cron '30 2 * * *' --sql 'select 1'`}
          />
        )}
        {found.length > 0 && (
          <section class="panel" aria-label="Schedules">
            <Table
              label="Schedules"
              rows={found}
              rowKey={({ name }) => name}
              rowHref={({ name }) => scheduleHref(name)}
              columns={[...columns, ...(may('operate') ? [menu] : [])]}
            />
          </section>
        )}
        {all !== null && all.length > 0 && found.length === 0 && (
          <EmptyState title="No schedule has that in its name" />
        )}
      </div>
    </PageFrame>
  )
}

function NewSchedule(): JSX.Element {
  return (
    <a class="button button--primary" href={href('/plan')}>
      <Icon name="plus" />
      New schedule
    </a>
  )
}

function scheduleHref(name: string): string {
  return href(`/schedules/${encodeURIComponent(name)}`)
}

const columns: readonly Column<Schedule>[] = [
  {
    title: 'Schedule',
    class: 'col-name',
    cell: ({ name }) => (
      <a class="cell-cut" href={scheduleHref(name)}>
        {name}
      </a>
    ),
  },
  {
    title: 'When',
    class: 'col-grow',
    from: 'wide',
    cell: ({ words, zone }) => (
      <span class="cell-cut" title={words}>
        {words.replace(` (${zone})`, '')} <span class="muted">{zone}</span>
      </span>
    ),
  },
  {
    title: 'State',
    cell: ({ state }) => <Badge state={state} tone={scheduleTone(state)} />,
  },
  { title: 'Next', align: 'right', cell: ({ next_at: at }) => <Time at={at} /> },
  { title: 'Last', from: 'wide', cell: (schedule) => <Last schedule={schedule} /> },
]

/** How the last one went: its task, or why there was none. */
function Last({ schedule }: { readonly schedule: Schedule }): JSX.Element {
  const { last_task: task, last_task_state: state, last_outcome: outcome } = schedule
  if (outcome === 'skipped') return <Badge state="skipped" tone="blocked" />
  if (task === null) return <span class="muted">–</span>
  return (
    <a href={href(`/tasks/${task}`)}>
      {state !== null && <Badge state={state} />}
      <span class={state === null ? '' : 'hidden'}> task {task}</span>
    </a>
  )
}
