import type { JSX } from 'preact'
import { Badge } from '../../components/badge.tsx'
import { Section } from '../../components/page.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { count, duration } from '../../lib/format.ts'
import type { DatabaseReport, LockWait, OpenTransaction } from './database-model.ts'

/** A transaction that is open for longer than this holds back the clearing of dead rows. */
const longSeconds = 60

const pid: Column<{ readonly pid: number }> = {
  title: 'Backend',
  cell: (row) => row.pid,
}

const query: Column<{ readonly query: string | null }> = {
  title: 'Query',
  class: 'col-grow',
  cell: (row) => (
    <code class="cell-cut" title={row.query ?? undefined}>
      {row.query ?? '–'}
    </code>
  ),
}

export function Transactions({
  transactions,
}: {
  readonly transactions: readonly OpenTransaction[]
}): JSX.Element {
  return (
    <Section title="Open transactions, the longest first" flush>
      {transactions.length === 0 ? (
        <p class="all-well">None is open.</p>
      ) : (
        <Table
          label="Open transactions"
          rows={transactions}
          rowKey={(row) => String(row.pid)}
          columns={[
            pid,
            {
              title: 'Open for',
              align: 'right',
              cell: ({ seconds }) => (
                <span class={seconds > longSeconds ? 'what__error' : ''}>{duration(seconds)}</span>
              ),
            },
            { title: 'State', cell: ({ state }) => state ?? '–' },
            {
              title: 'Waits for',
              from: 'wide',
              cell: ({ wait_event: event }) => event ?? '–',
            },
            { title: 'User', from: 'wide', cell: ({ user }) => user ?? '–' },
            { title: 'Application', from: 'widest', cell: ({ application }) => application ?? '–' },
            {
              title: 'Vacuum',
              from: 'wide',
              cell: ({ holds_back_vacuum: holds }) =>
                holds ? <Badge state="held back" tone="blocked" /> : '–',
            },
            query,
          ]}
        />
      )}
    </Section>
  )
}

export function LockWaits({ waiting }: { readonly waiting: readonly LockWait[] }): JSX.Element {
  return (
    <Section title="Waiting for locks" flush>
      {waiting.length === 0 ? (
        <p class="all-well">No session waits for a lock.</p>
      ) : (
        <Table
          label="Waiting for locks"
          rows={waiting}
          rowKey={(row) => `${row.pid} ${row.relation} ${row.mode}`}
          columns={[
            pid,
            {
              title: 'For',
              align: 'right',
              cell: ({ seconds }) => (seconds === null ? '–' : duration(seconds)),
            },
            { title: 'Blocked by', cell: ({ blocked_by: by }) => by.join(', ') },
            { title: 'On', from: 'wide', cell: ({ relation }) => relation ?? '–' },
            { title: 'Mode', from: 'wide', cell: ({ mode }) => mode },
            query,
          ]}
        />
      )}
    </Section>
  )
}

export function Connections({ connections }: Pick<DatabaseReport, 'connections'>): JSX.Element {
  return (
    <Section title="Connections" flush>
      <Table
        label="Connections"
        rows={connections}
        rowKey={(row) => `${row.user} ${row.application} ${row.state}`}
        columns={[
          { title: 'User', cell: ({ user }) => user ?? '–' },
          {
            title: 'Application',
            class: 'col-grow',
            cell: ({ application }) => (
              <span class="cell-cut">{application === '' ? '–' : (application ?? '–')}</span>
            ),
          },
          { title: 'State', cell: ({ state }) => state ?? '–' },
          { title: 'Count', align: 'right', cell: (row) => count(row.count) },
        ]}
      />
    </Section>
  )
}

export function HeldLocks({ held }: Pick<DatabaseReport['locks'], 'held'>): JSX.Element {
  return (
    <Section title="Locks held on tables of the engine" flush>
      {held.length === 0 ? (
        <p class="all-well">None.</p>
      ) : (
        <Table
          label="Locks held"
          rows={held}
          rowKey={(row) => `${row.relation} ${row.mode}`}
          columns={[
            { title: 'Table', cell: ({ relation }) => relation },
            { title: 'Mode', cell: ({ mode }) => mode },
            { title: 'Count', align: 'right', cell: (row) => count(row.held) },
          ]}
        />
      )}
    </Section>
  )
}
