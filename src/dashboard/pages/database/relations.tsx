import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Section } from '../../components/page.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { bytes, plural, shortCount } from '../../lib/format.ts'
import type { DatabaseReport, IndexReport, Migration, TableReport } from './database-model.ts'

/** From where on dead rows are worth a colour, as a share of the live ones. */
const manyDead = 0.2
const fewDead = 1_000
const most = 12

export function Tables({ tables }: Pick<DatabaseReport['relations'], 'tables'>): JSX.Element {
  const total = tables.reduce((sum, table) => sum + (table.total_bytes ?? 0), 0)
  return (
    <Section
      title="Tables"
      flush
      actions={<span class="muted">{`${bytes(total)} in all; rows are estimates`}</span>}
    >
      <Some rows={tables} rowKey={({ name }) => name} label="Tables" columns={tableColumns} />
    </Section>
  )
}

export function Indexes({ indexes }: Pick<DatabaseReport['relations'], 'indexes'>): JSX.Element {
  return (
    <Section title="Indexes" flush>
      <Some rows={indexes} rowKey={({ name }) => name} label="Indexes" columns={indexColumns} />
    </Section>
  )
}

export function Migrations({ migrations }: Pick<DatabaseReport, 'migrations'>): JSX.Element {
  return (
    <Section title="Migrations" flush>
      <Table
        label="Migrations"
        rows={migrations}
        rowKey={({ path }) => path}
        columns={migrationColumns}
      />
    </Section>
  )
}

/** The first of a long list, and the rest when asked for. */
function Some<T>(props: {
  readonly rows: readonly T[]
  readonly rowKey: (row: T) => string
  readonly label: string
  readonly columns: readonly Column<T>[]
}): JSX.Element {
  const isOpen = useSignal(false)
  const { rows, ...table } = props
  const rest = rows.length - most
  return (
    <>
      <Table {...table} rows={isOpen.value ? rows : rows.slice(0, most)} />
      {rest > 0 && !isOpen.value && (
        <div class="more">
          <Button
            onClick={() => {
              isOpen.value = true
            }}
          >
            {`${plural(rest, 'smaller one')}`}
          </Button>
        </div>
      )}
    </>
  )
}

const tableColumns: readonly Column<TableReport>[] = [
  { title: 'Table', class: 'col-name', cell: ({ name }) => <span class="cell-cut">{name}</span> },
  { title: 'Rows', align: 'right', cell: ({ rows }) => shortCount(rows) },
  {
    title: 'Dead',
    align: 'right',
    cell: ({ dead, rows }) => (
      <span class={dead > fewDead && dead > rows * manyDead ? 'what__error' : ''}>
        {shortCount(dead)}
      </span>
    ),
  },
  { title: 'Data', align: 'right', from: 'wide', cell: ({ table_bytes: size }) => bytes(size) },
  { title: 'Indexes', align: 'right', from: 'wide', cell: ({ index_bytes: size }) => bytes(size) },
  { title: 'In all', align: 'right', cell: ({ total_bytes: size }) => bytes(size) },
  {
    title: 'Vacuumed',
    align: 'right',
    from: 'wide',
    cell: ({ last_vacuum_at: at }) => <Time at={at} />,
  },
  {
    title: 'Analysed',
    align: 'right',
    from: 'widest',
    cell: ({ last_analyze_at: at }) => <Time at={at} />,
  },
]

const indexColumns: readonly Column<IndexReport>[] = [
  { title: 'Index', class: 'col-name', cell: ({ name }) => <span class="cell-cut">{name}</span> },
  { title: 'Table', from: 'wide', cell: ({ table }) => table },
  { title: 'Size', align: 'right', cell: ({ bytes: size }) => bytes(size) },
  { title: 'Scans', align: 'right', cell: ({ scans }) => shortCount(scans) },
  {
    title: 'State',
    from: 'wide',
    cell: ({ is_valid: isValid }) =>
      isValid ? (
        <Badge state="valid" tone="done" />
      ) : (
        <Badge state="invalid: rebuild it" tone="failed" />
      ),
  },
]

const migrationTones: Readonly<Record<string, string>> = { applied: 'done', pending: 'blocked' }

const migrationColumns: readonly Column<Migration>[] = [
  { title: 'Migration', cell: ({ path }) => path },
  {
    title: 'State',
    cell: ({ state }) => <Badge state={state} tone={migrationTones[state] ?? 'failed'} />,
  },
  { title: 'Applied', align: 'right', cell: ({ applied_at: at }) => <Time at={at} /> },
]
