import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { unquote } from '../../../lib/filter-query.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { Needs } from '../../components/needs.tsx'
import { PageFrame } from '../../components/page.tsx'
import { Pager } from '../../components/pager.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { useLoad } from '../../lib/load.ts'
import type { FilterName } from '../../lib/suggest.ts'
import { saidIn } from '../../lib/task-filter.ts'
import type { Page } from '../../model.ts'
import { href, queryValue, setQuery } from '../../router.ts'
import { may } from '../../session.ts'
import { type AuditEntry, pathOfObject } from './audit-model.ts'
import { EntryDialog } from './entry-dialog.tsx'

const pageSize = 50

/** Who did what, from where, and what it changed. */
export function Audit(): JSX.Element {
  return (
    <PageFrame title="Audit">
      <Needs scope="admin" to="read the audit" />
      {may('admin') && <Entries />}
    </PageFrame>
  )
}

function Entries(): JSX.Element {
  const entries = useLoad<Page<AuditEntry>>(
    '/audit',
    {
      actor: queryValue('actor'),
      action: queryValue('action'),
      object: queryValue('object'),
      cursor: queryValue('cursor'),
      limit: pageSize,
    },
    { every: 5_000 },
  )
  const shown = useSignal<AuditEntry | null>(null)
  const items = entries.data.value?.items ?? null
  const details: Column<AuditEntry> = {
    title: 'Change',
    class: 'col-menu',
    cell: (entry) => (
      <Button
        look="quiet"
        onClick={() => {
          shown.value = entry
        }}
      >
        Show
      </Button>
    ),
  }
  return (
    <div class="stack">
      <FilterBar
        names={filterNames(items ?? [])}
        said={said()}
        onSay={say}
        onRemove={(name = 'object') => setQuery({ [name]: null, cursor: null })}
        placeholder="Filter: actor:ada action:pause, or an object such as queue mail"
      />
      <ProblemNote error={entries.error.value} onRetry={entries.reload} />
      {items !== null && items.length > 0 && (
        <section class="panel" aria-label="Audit">
          <Table
            label="Audit"
            rows={items}
            rowKey={({ id }) => id}
            columns={[...columns, details]}
          />
        </section>
      )}
      {items !== null && items.length === 0 && (
        <EmptyState title="No actions yet" command="tusk queue pause mail">
          Actions on tasks, queues and schedules are kept for 90 days.
        </EmptyState>
      )}
      <Pager next={entries.data.value?.next_cursor ?? null} />
      {shown.value !== null && (
        <EntryDialog
          entry={shown.value}
          onClose={() => {
            shown.value = null
          }}
        />
      )}
    </div>
  )
}

/** Words without a name are the object. */
function said(): ReadonlyMap<string | undefined, string> {
  const all = (['actor', 'action', undefined] as const).map(
    (name) => [name, queryValue(name ?? 'object')] as const,
  )
  return new Map(all.filter(([, value]) => value !== ''))
}

function say(words: string): void {
  const text = [...saidIn(words)].map(([name = 'object', value]) => [name, unquote(value)])
  setQuery({ ...Object.fromEntries(text), cursor: null })
}

function filterNames(items: readonly AuditEntry[]): readonly FilterName[] {
  const seen = (value: (entry: AuditEntry) => string) => () => [...new Set(items.map(value))].sort()
  return [
    { name: 'actor', hint: 'who did it', values: seen(({ actor }) => actor) },
    { name: 'action', hint: 'what was done', values: seen(({ action }) => action) },
  ]
}

const columns: readonly Column<AuditEntry>[] = [
  { title: 'When', class: 'col-when', cell: ({ at }) => <Time at={at} /> },
  {
    title: 'Who',
    class: 'col-queue',
    cell: ({ actor, token_name: token }) => (
      <span class="two-lines">
        <span class="cell-cut">{actor}</span>
        {token !== null && token !== actor && <span class="muted">token {token}</span>}
      </span>
    ),
  },
  {
    title: 'Did',
    class: 'col-grow',
    cell: ({ action, object }) => (
      <span class="two-lines">
        <code>{action}</code>
        <ObjectLink object={object} />
      </span>
    ),
  },
  {
    title: 'From',
    from: 'wide',
    cell: ({ door, address }) => (
      <span class="nowrap">
        {door ?? '–'} <span class="muted">{address}</span>
      </span>
    ),
  },
]

export function ObjectLink({ object }: { readonly object: string }): JSX.Element {
  const path = pathOfObject(object)
  if (path === null) return <span class="cell-cut">{object}</span>
  return (
    <a class="cell-cut" href={href(path)}>
      {object}
    </a>
  )
}
