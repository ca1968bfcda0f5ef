import type { ComponentChildren, JSX } from 'preact'
import { EmptyState } from '../../components/empty-state.tsx'
import { Menu } from '../../components/menu.tsx'
import { Section } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { count, shortCount } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import { type BulkAction, operate } from '../../lib/operate.ts'
import type { Page } from '../../model.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'
import { type ErrorGroup, tasksHref } from './error-group.ts'

interface ErrorGroupsProps {
  readonly title: string
  readonly queue?: string
  readonly limit?: number
  readonly actions?: ComponentChildren
}

/** Failures by what they say; the last seen first. */
export function ErrorGroups(props: ErrorGroupsProps): JSX.Element {
  const { title, queue = '', limit = 20, actions } = props
  const groups = useLoad<Page<ErrorGroup>>(
    '/errors',
    { queue, limit },
    {
      when: (changes) => changes.count('failed') + changes.count('requeue') > 0,
      every: 15_000,
      pace: 2_000,
    },
  )
  const items = groups.data.value?.items ?? null
  const menu: Column<ErrorGroup> = {
    title: 'Actions',
    isTitleHidden: true,
    class: 'col-menu',
    cell: (group) => <GroupActions group={group} onDone={groups.reload} />,
  }
  const shown = queue === '' ? columns : columns.filter(({ title }) => title !== 'Queue')
  return (
    <Section title={title} flush actions={actions}>
      <ProblemNote error={groups.error.value} onRetry={groups.reload} />
      {items !== null && items.length > 0 && (
        <Table
          label="Errors"
          rows={items}
          rowKey={({ fingerprint, queue: of }) => `${fingerprint} ${of}`}
          rowHref={tasksHref}
          columns={[...shown, ...(may('operate') ? [menu] : [])]}
        />
      )}
      {items !== null && items.length === 0 && (
        <EmptyState
          title={queue === '' ? 'Nothing has failed.' : `Nothing has failed in ${queue}.`}
          {...(queue === '' ? { command: `tusk sql 'select 1/0'` } : {})}
        >
          Equal failures are grouped, for 30 days after the last one.
        </EmptyState>
      )}
    </Section>
  )
}

const columns: readonly Column<ErrorGroup>[] = [
  {
    title: 'Error',
    class: 'col-grow',
    cell: (group) => (
      <span class="two-lines">
        <a class="cell-cut" href={tasksHref(group)} title={group.sample ?? undefined}>
          {group.message === '' ? (group.reason ?? 'no message') : group.message}
        </a>
        <span class="muted cell-cut">
          <span class="only-narrow">{group.queue} </span>
          {[group.code, group.reason].filter((part) => !/^(error)?$/i.test(part ?? '')).join(' · ')}
        </span>
      </span>
    ),
  },
  {
    title: 'Queue',
    class: 'col-queue',
    from: 'wide',
    cell: ({ queue }) => (
      <a class="cell-cut" href={href(`/queues/${encodeURIComponent(queue)}`)}>
        {queue}
      </a>
    ),
  },
  {
    title: 'Last hour',
    align: 'right',
    from: 'wide',
    cell: ({ last_hour: n }) => shortCount(Number(n)),
  },
  {
    title: 'Last day',
    align: 'right',
    from: 'wide',
    cell: ({ last_day: n }) => shortCount(Number(n)),
  },
  {
    title: 'In all',
    align: 'right',
    cell: ({ count: n }) => <span title={count(Number(n))}>{shortCount(Number(n))}</span>,
  },
  { title: 'First', align: 'right', from: 'widest', cell: ({ first_at: at }) => <Time at={at} /> },
  {
    title: 'Last',
    align: 'right',
    from: 'wide',
    cell: ({ last_at: at, last_task: task }) =>
      task === null ? (
        <Time at={at} />
      ) : (
        <a href={href(`/tasks/${task}`)}>
          <Time at={at} />
          <span class="hidden">: task {task}</span>
        </a>
      ),
  },
]

function GroupActions({
  group,
  onDone,
}: {
  readonly group: ErrorGroup
  readonly onDone: () => void
}): JSX.Element {
  const act = (action: BulkAction) => async () => {
    const filter = { error: group.fingerprint, queue: group.queue, state: ['failed'] }
    if (await operate({ action, filter })) onDone()
  }
  return (
    <Menu
      label={`Actions for ${group.message}`}
      items={[
        { text: 'Retry those that failed…', icon: 'retry', onSelect: () => void act('retry')() },
        {
          text: 'Delete those that failed…',
          icon: 'trash',
          danger: true,
          onSelect: () => void act('delete')(),
        },
      ]}
    />
  )
}
