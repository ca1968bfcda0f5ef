import type { JSX } from 'preact'
import { Badge } from '../../components/badge.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Gauge } from '../../components/gauge.tsx'
import { Section } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { shortCount } from '../../lib/format.ts'
import { inWords } from '../../lib/interval.ts'
import { useLoad } from '../../lib/load.ts'
import type { Page } from '../../model.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'
import { GroupMenu } from './group-menu.tsx'
import { type GroupStats, rateInWords } from './group-model.ts'

const most = 1_000
const shownAtOnce = 100

/** The groups: limits that hold over all queues together. */
export function Groups({ text }: { readonly text: string }): JSX.Element {
  const groups = useLoad<Page<GroupStats>>(
    '/groups',
    { limit: most },
    { when: true, every: 5_000, pace: 2_000 },
  )
  const all = groups.data.value?.items ?? null
  const found = (all ?? []).filter(({ group }) => group.toLowerCase().includes(text))
  const menu: Column<GroupStats> = {
    title: 'Actions',
    isTitleHidden: true,
    class: 'col-menu',
    cell: (group) => <GroupMenu group={group} onDone={groups.reload} />,
  }
  return (
    <Section title="Groups" flush>
      <ProblemNote error={groups.error.value} onRetry={groups.reload} />
      {found.length > 0 && (
        <Table
          label="Groups"
          rows={found.slice(0, shownAtOnce)}
          rowKey={({ group }) => group}
          rowHref={({ group }) => groupHref(group)}
          columns={[...columns, ...(may('operate') ? [menu] : [])]}
        />
      )}
      {all !== null && all.length === 0 && (
        <EmptyState title="No groups yet" command={`tusk group set 'customer 42' --max-running 2`}>
          A group limits tasks of any queue together: those of one customer, one host, one account.
        </EmptyState>
      )}
      {all !== null && all.length > 0 && found.length === 0 && (
        <EmptyState title="No group has that in its name" />
      )}
    </Section>
  )
}

function groupHref(name: string): string {
  return href(`/groups/${encodeURIComponent(name)}`)
}

const dash = <span class="muted">–</span>

const columns: readonly Column<GroupStats>[] = [
  {
    title: 'Group',
    class: 'col-name',
    cell: ({ group }) => (
      <a class="cell-cut" href={groupHref(group)}>
        {group}
      </a>
    ),
  },
  { title: 'State', cell: (group) => <GroupState group={group} /> },
  {
    title: 'Running',
    cell: ({ group, running, max_running }) => (
      <Gauge value={running} limit={max_running} label={`${group}: running of its limit`} />
    ),
  },
  { title: 'Waiting', align: 'right', cell: ({ parked }) => shortCount(parked) },
  { title: 'Rate', from: 'wide', cell: (group) => rateInWords(group) ?? dash },
  { title: 'Gap', from: 'wide', cell: ({ gap }) => (gap === null ? dash : inWords(gap)) },
  { title: 'Weight', align: 'right', from: 'widest', cell: ({ weight }) => weight },
]

export function GroupState({ group }: { readonly group: GroupStats }): JSX.Element {
  const { paused_at: pausedAt, running, max_running: limit, parked } = group
  if (pausedAt !== null) return <Badge state="paused" tone="blocked" />
  if (limit !== null && running >= limit && parked > 0) return <Badge state="full" tone="blocked" />
  return <Badge state="open" tone="done" />
}
